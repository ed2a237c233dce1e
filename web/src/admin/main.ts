/* The page of operators, a bundle of its own: no player ever loads it. */
import { mount } from 'svelte';
import { language } from '$lib/messages/language.svelte';
import Admin from './Admin.svelte';
import '../fonts/faces.css';
import '../app.css';
import './admin.css';

const target = document.getElementById('app');
if (!target) throw new Error('admin/index.html has no #app');

/* What it shares with the players' page says what that page says. */
await Promise.all([language.all(), language.speak('en')]);

export default mount(Admin, { target });
