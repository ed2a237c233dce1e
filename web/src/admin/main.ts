/* The operators' page, a separate bundle that players never load. */
import { mount } from 'svelte';
import { onSystemColorScheme, showColorScheme } from '$lib/color-scheme';
import { language } from '$lib/messages/language.svelte';
import Admin from './Admin.svelte';
import '../fonts/faces.css';
import '../app.css';
import './admin.css';

const target = document.getElementById('app');
if (!target) throw new Error('admin/index.html has no #app');

const followSystem = () => showColorScheme('system');
followSystem();
onSystemColorScheme(followSystem);

/* Components shared with the players' page use its texts. */
await Promise.all([language.all(), language.speak('en')]);

export default mount(Admin, { target });
