/* The operators' page, a separate bundle that players never load. */
import { mount } from 'svelte';
import { onSystemLook, showLook } from '$lib/look';
import { language } from '$lib/messages/language.svelte';
import Admin from './Admin.svelte';
import '../fonts/faces.css';
import '../app.css';
import './admin.css';

const target = document.getElementById('app');
if (!target) throw new Error('admin/index.html has no #app');

const followSystem = () => showLook('system');
followSystem();
onSystemLook(followSystem);

/* Parts shared with the players' page use that page's texts. */
await Promise.all([language.all(), language.speak('en')]);

export default mount(Admin, { target });
