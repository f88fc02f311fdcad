package dev.outpost.runtime.session;

import dev.outpost.protocol.delivery.ReliableLane;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.MalformedException;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Message;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.plan.PlanCache;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that executes a session's messages, in their order. It owns the session's values: whichever way the
 * session ends, they are freed here, when no kernel can be using them any more.
 */
final class SessionWorker {
    private static final Logger LOG = LoggerFactory.getLogger(SessionWorker.class);
    private static final int MAX_LOST = 64;
    private static final int PROGRESS_SEGMENTS = 16;
    private static final long PROGRESS_NANOS = Duration.ofMillis(20).toNanos();

    private final Session session;
    private final Engine engine;
    private final ReliableLane control;
    private final WorkQueue queue;
    private final SessionMemory memory;
    private final Uploads uploads;
    private final Downloads downloads;
    private final Values values = new Values();
    private final Faults faults = new Faults();
    private final SegmentRunner runner;
    private final Thread thread;

    private boolean progressDue;
    private long reportedSegments;
    private long reportedNanos = System.nanoTime();

    SessionWorker(
            Session session,
            Engine engine,
            PlanCache plans,
            ReliableLane control,
            ReliableLane bulk,
            WorkQueue queue,
            SessionMemory memory,
            Uploads uploads) {
        this.session = session;
        this.engine = engine;
        this.control = control;
        this.queue = queue;
        this.memory = memory;
        this.uploads = uploads;
        this.downloads = new Downloads("outpost-downloads-" + session.id(), engine, bulk, this::fetchFailed);
        this.runner = new SegmentRunner(engine, plans, memory, uploads, values, faults, session::isOver);
        this.thread = Thread.ofPlatform()
                .name("outpost-session-" + session.id())
                .daemon()
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Makes it stop soon; it may be in a kernel. */
    void stop() {
        if (Thread.currentThread() != thread) {
            thread.interrupt();
        }
    }

    /** Whether it stopped, and freed all, within the time. */
    boolean awaitStop(Duration atMost) throws InterruptedException {
        return thread.join(atMost);
    }

    private void run() {
        boolean goodbye = false;
        try {
            executeUntilGoodbye();
            goodbye = true;
        } catch (InterruptedException stopped) {
            // Whoever ended the session has said why.
        } catch (OutpostException broken) {
            session.end(Fault.of(broken.kind(), broken.getMessage()));
        } catch (Throwable defect) {
            LOG.error("session {} failed", session.id(), defect);
            session.end(Fault.of(FaultKind.INTERNAL, "the session failed on the machine: " + defect));
        } finally {
            freeAll();
        }
        if (goodbye) {
            session.leave(new Message.Farewell(faults.unseen()));
        }
    }

    private void executeUntilGoodbye() throws InterruptedException {
        for (Message next = queue.take(); !(next instanceof Message.Goodbye); next = queue.take()) {
            execute(next);
            reportProgress();
        }
        downloads.finish();
    }

    private void freeAll() {
        downloads.close();
        values.clear();
        uploads.close();
        runner.close();
    }

    private void execute(Message message) throws InterruptedException {
        switch (message) {
            case Message.RunSegment run -> {
                runner.run(run.segment());
                progressDue = true;
            }
            case Message.Fetch fetch -> fetch(fetch);
            case Message.Free free -> {
                free(free.values());
                progressDue = true;
            }
            case Message.Goodbye _, Message.UploadChunk _ -> throw misplaced(message);
            case Message.Progress _, Message.Fetched _, Message.FetchFailed _ -> throw misplaced(message);
            case Message.DownloadChunk _, Message.Farewell _ -> throw misplaced(message);
        }
    }

    private static MalformedException misplaced(Message message) {
        return new MalformedException(message.getClass().getSimpleName() + " does not belong on the control lane");
    }

    private void free(long[] ids) {
        for (long id : ids) {
            values.remove(id).release();
        }
    }

    private void fetch(Message.Fetch fetch) throws InterruptedException {
        switch (values.get(fetch.value())) {
            case Value.Present present -> sendHome(fetch.fetch(), present);
            case Value.Poisoned poisoned -> {
                Fault fault = poisoned.fault();
                faults.seen(fault);
                control.send(new Message.FetchFailed(fetch.fetch(), fault, values.lostTo(fault, MAX_LOST)).encode());
            }
        }
    }

    private void sendHome(long fetch, Value.Present value) throws InterruptedException {
        byte[] bytes = new byte[0];
        boolean inline = false;
        try {
            inline = value.type().bytes() <= Message.INLINE_BYTES;
            if (inline) {
                bytes = engine.read(value.array(), 0, (int) value.type().shape().elements());
            }
        } catch (RuntimeException | OutOfMemoryError problem) {
            fetchFailed(fetch, problem);
            return;
        }
        control.send(new Message.Fetched(fetch, value.type(), bytes).encode());
        if (!inline) {
            downloads.submit(fetch, value.retain());
        }
    }

    private void fetchFailed(long fetch, Throwable problem) {
        LOG.error("session {} could not read a value", session.id(), problem);
        Fault fault = Fault.of(FaultKind.INTERNAL, "fetch: the value could not be read: " + problem);
        control.sendNow(new Message.FetchFailed(fetch, fault, new long[0]).encode());
    }

    private void reportProgress() throws InterruptedException {
        if (progressDue && isTimeToReport()) {
            progressDue = false;
            reportedSegments = runner.segments();
            reportedNanos = System.nanoTime();
            control.send(progress().encode());
        }
    }

    private boolean isTimeToReport() {
        return queue.isEmpty()
                || runner.segments() - reportedSegments >= PROGRESS_SEGMENTS
                || System.nanoTime() - reportedNanos >= PROGRESS_NANOS;
    }

    private Message.Progress progress() {
        return new Message.Progress(
                runner.segments(),
                memory.usedBytes(),
                values.size(),
                runner.engineNanos(),
                runner.kernels(),
                runner.plansMade());
    }
}
