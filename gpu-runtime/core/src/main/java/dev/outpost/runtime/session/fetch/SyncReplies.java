package dev.outpost.runtime.session.fetch;

import dev.outpost.runtime.engine.Completion;

/** The replies of an engine that has done all when it returns. */
public final class SyncReplies implements Replies {
    @Override
    public void after(Completion completion, Reply reply) throws InterruptedException {
        reply.send();
    }

    @Override
    public boolean areImmediate() {
        return true;
    }

    @Override
    public boolean areAnyWaiting() {
        return false;
    }

    @Override
    public void finish() {
        // None waits.
    }

    @Override
    public void close() {
        // None waits.
    }
}
