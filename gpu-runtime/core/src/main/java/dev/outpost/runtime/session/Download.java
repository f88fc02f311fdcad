package dev.outpost.runtime.session;

import dev.outpost.channel.delivery.Supply;

/** One large value on its way out, in chunks, which the lane asks for. An owner of the value until all of it was read. */
interface Download extends Supply {
    /** No more chunks come of it. */
    void drop();
}
