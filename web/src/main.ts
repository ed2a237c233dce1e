import { mount } from 'svelte';
import App from './App.svelte';
import { awaitTouch } from './lib/feel/feel';
import { pageOf } from './lib/addresses';
import { session } from './lib/api/session.svelte';
import { tokens } from './lib/api/tokens';
import { prefs } from './lib/prefs.svelte';
import { first } from './pages/routes';
import { surviveTranslation } from './lib/ui/foreign';
import { worker } from './lib/worker/worker.svelte';
import './fonts/faces.css';
import './app.css';
import './media.css';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');

surviveTranslation();
awaitTouch();
/* On a slow line each of these waits as long as the others: none of them for another. */
void session.start();
addEventListener('storage', (event) => session.follow(event));
first(pageOf(location.pathname), tokens.now() !== null);
await prefs.start();

export default mount(App, { target });

if (document.readyState === 'complete') void worker.start();
else addEventListener('load', () => void worker.start());
