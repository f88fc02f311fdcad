package dev.outpost.internal;

import dev.outpost.client.numbers.RandomStream;

/** A source of random numbers: the core's view of a user's generator. */
public abstract class DrawSource {
    /**
     * Takes the next position in the stream.
     *
     * @hidden
     */
    protected abstract RandomStream.Position take();
}
