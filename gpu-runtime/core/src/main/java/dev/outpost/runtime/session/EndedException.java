package dev.outpost.runtime.session;

import dev.outpost.channel.frame.Frame;
import dev.outpost.types.OutpostException;

/** What a client wants is over already; it is told how that came. */
final class EndedException extends OutpostException {
    private final transient Frame.End end;

    EndedException(Frame.End end) {
        super(end.fault().kind(), end.fault().message());
        this.end = end;
    }

    Frame.End end() {
        return end;
    }
}
