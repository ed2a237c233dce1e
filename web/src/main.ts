import { mount } from 'svelte';
import App from './App.svelte';
import { awaitTouch } from './lib/feel/feel';
import { prefs } from './lib/prefs.svelte';
import { worker } from './lib/worker/worker.svelte';
import './fonts/faces.css';
import './app.css';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');

awaitTouch();
await prefs.start();

export default mount(App, { target });

if (document.readyState === 'complete') void worker.start();
else addEventListener('load', () => void worker.start());
