import { mount } from 'svelte';
import App from './App.svelte';
import { awaitTouch } from './lib/feel/touch';
import { pageOf } from './lib/addresses';
import { session } from './lib/api/session.svelte';
import { tokens } from './lib/api/tokens';
import { prefs } from './lib/prefs.svelte';
import { first } from './pages/routes';
import { surviveTranslation } from './lib/ui/foreign';
import { whenIdle } from './lib/idle';
import './fonts/faces.css';
import './app.css';
import './media.css';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');

surviveTranslation();
awaitTouch();
/* On a slow connection, each of these takes equally long, so they load in parallel. */
void session.start();
addEventListener('storage', (event) => session.follow(event));
first(pageOf(location.pathname), tokens.now() !== null);
await prefs.start();

export default mount(App, { target });

const startWorker = async () => (await import('./lib/worker/worker.svelte')).worker.start();
const later = () => whenIdle(() => void startWorker().catch(() => undefined));
if (document.readyState === 'complete') later();
else addEventListener('load', later);
