/* A stranger on an open page wants to do what takes an account: the entrance is shown at the same address, and the page again once
 * they are in. */
class Entering {
  wanted = $state(false);

  /** For buttons of open pages. */
  ask(): void {
    this.wanted = true;
    window.scrollTo(0, 0);
  }

  end(): void {
    this.wanted = false;
  }
}

export const entering = new Entering();
