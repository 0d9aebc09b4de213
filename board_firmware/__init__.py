"""From touch to scoresheet: gestures, Article 4, clock, referee, session, and the edges around them."""
