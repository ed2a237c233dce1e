/* Catalogs of messages, made by scripts/messages/plugin.ts. */
declare module 'virtual:messages/*' {
  import type { Catalog } from '$lib/messages/catalog';
  const catalog: Catalog;
  export default catalog;
}
