package dev.outpost.runtime.session.fetch;

import dev.outpost.runtime.engine.Completion;

/** The replies of a synchronous engine. The work is done when a call returns, so replies are sent immediately. */
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
        // No reply waits.
    }

    @Override
    public void close() {
        // No reply waits.
    }
}
