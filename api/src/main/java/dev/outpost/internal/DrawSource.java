package dev.outpost.internal;

import dev.outpost.client.numbers.RandomStream;

/** Where random numbers come from, as the core knows a user's generator. */
public abstract class DrawSource {
    /**
     * The place of one draw, which is taken.
     *
     * @hidden
     */
    protected abstract RandomStream.Position take();
}
