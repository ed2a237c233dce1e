/* When a visitor without an account tries an action that needs one, the sign-in page replaces the page at the
 * same address. The page returns once they have signed in. */
class Entering {
  wanted = $state(false);

  /** Called by buttons on open pages. */
  ask(): void {
    this.wanted = true;
    window.scrollTo(0, 0);
  }

  end(): void {
    this.wanted = false;
  }
}

export const entering = new Entering();
