package dev.outpost.runtime.session.fetch;

import dev.outpost.channel.delivery.PayloadSource;

/** One large value on its way out, in chunks, which the lane asks for. An owner of the value until all of it was read. */
public interface Download extends PayloadSource {
    /** No more chunks come of it. */
    void drop();
}
