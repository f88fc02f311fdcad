package dev.outpost.runtime.session.fetch;

import dev.outpost.channel.delivery.PayloadSource;

/** One large value that is sent in chunks when the lane asks for them. It owns the value until all of it was read. */
public interface Download extends PayloadSource {
    /** Stops the download: no more chunks follow. */
    void drop();
}
