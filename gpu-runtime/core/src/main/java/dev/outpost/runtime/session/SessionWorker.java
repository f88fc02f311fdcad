package dev.outpost.runtime.session;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.bytes.StepList;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.MalformedException;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.trace.EngineTraceWriter;
import java.time.Duration;

/**
 * The one thread that executes a session's messages, in their order. It owns the session's values: whichever way the
 * session ends, they are freed here, when no kernel can be using them any more. It has its turn at the engine as long as
 * it has segments to run, and gives it back before it waits for anything.
 */
final class SessionWorker {
    private final Session session;
    private final Workspace workspace;
    private final WorkQueue queue;
    private final ReliableLane control;
    private final Fetches fetches;
    private final Reports reports;
    private final IncomingSegments segments;
    private final SegmentRunner runner;
    private final Programs programs;
    private final ProgramRunner programRunner;
    private final Thread thread;
    private volatile boolean finished;

    SessionWorker(Session session, Workspace workspace, Lanes lanes, WorkQueue queue) {
        this.session = session;
        this.workspace = workspace;
        this.queue = queue;
        this.control = lanes.control();
        this.fetches = new Fetches(workspace, lanes);
        this.reports = new Reports(workspace, lanes.control());
        this.segments = new IncomingSegments(workspace);
        this.runner = new SegmentRunner(workspace, session::isOver);
        this.programs = new Programs(workspace.machine().refusals());
        this.programRunner = new ProgramRunner(workspace, runner, fetches, reports);
        this.thread = Thread.ofPlatform()
                .name("outpost-session-" + workspace.session())
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

    /** Whether everything up to the end of the queue was executed and its answers handed to the lanes. */
    boolean isFinished() {
        return finished;
    }

    private void run() {
        Message last = null;
        Throwable failure = null;
        try {
            last = executeAll();
        } catch (Throwable problem) {
            failure = problem;
        }
        // Before anything is said of a failure, which takes memory that may be what is missing.
        freeAll();
        if (failure != null) {
            fail(failure);
        }
        if (last == WorkQueue.END) {
            finished = true;
        } else if (last != null) {
            session.leave(new Message.Farewell(workspace.faults().unseen()));
        }
    }

    private void fail(Throwable failure) {
        switch (failure) {
            case InterruptedException stopped -> {
                // Whoever ended the session has said why.
            }
            case OutpostException broken -> session.end(Fault.of(broken.kind(), broken.getMessage()));
            default -> {
                session.end(Fault.of(FaultKind.INTERNAL, "the session failed on the machine: " + failure));
                workspace.machine().defects().report("session " + workspace.session() + " failed", failure);
            }
        }
    }

    /** The answer is the message that said that none follows. */
    private Message executeAll() throws InterruptedException {
        Message next = next();
        while (!(next instanceof Message.Goodbye)) {
            execute(next);
            if (reports.isDue(runner.takeUpdated() || queue.isEmpty())) {
                reports.send();
            }
            next = next();
        }
        workspace.turn().giveBack();
        fetches.finish();
        return next;
    }

    private Message next() throws InterruptedException {
        Message ready = queue.poll();
        if (ready != null) {
            return ready;
        }
        workspace.turn().giveBack();
        return queue.take();
    }

    private void freeAll() {
        workspace.turn().giveBack();
        queue.close();
        fetches.close();
        workspace.values().clear();
        workspace.uploads().close();
        runner.close();
        segments.clear();
        programs.clear();
    }

    private void execute(Message message) throws InterruptedException {
        long arrived = queue.arrival(message, 0);
        switch (message) {
            case Message.RunSegment run -> run(segments.whole(run), arrived);
            case Message.RememberSegment remember -> run(segments.remember(remember), arrived);
            case Message.RepeatSegment repeat -> run(segments.repeat(repeat), arrived);
            case Message.Fetch fetch -> {
                compute(fetch.value());
                workspace.turn().giveBack();
                answer(fetch);
            }
            case Message.Trace trace -> {
                workspace.turn().giveBack();
                answer(trace, arrived);
            }
            case Message.Explain explain -> {
                workspace.turn().giveBack();
                explained(explain.request(), runner.explain(explain.value()));
            }
            case Message.ExplainProgram explain -> {
                workspace.turn().giveBack();
                explained(explain.request(), runner.explain(programs.get(explain.program())));
            }
            case Message.Free free -> {
                free(free.values());
                reports.note();
            }
            case Message.DefineProgram define -> programs.define(define);
            case Message.RunProgram run -> {
                programRunner.run(programs.get(run.program()), run);
                runner.recipes().settle();
            }
            case Message.DropProgram drop -> programs.drop(drop);
            case Message.GrantEmissions _, Message.CancelScan _, Message.Scanned _ -> throw misplaced(message);
            case Message.Goodbye _, Message.UploadChunk _ -> throw misplaced(message);
            case Message.Progress _, Message.Fetched _, Message.FetchFailed _ -> throw misplaced(message);
            case Message.DownloadChunk _, Message.Farewell _ -> throw misplaced(message);
            case Message.Explained _, Message.Traced _ -> throw misplaced(message);
            case Message.Failed _, Message.UpdateFailed _ -> throw misplaced(message);
        }
    }

    /** What a client asks for is stored from then on, which it is told. */
    private void compute(long value) throws InterruptedException {
        long before = workspace.memory().usedBytes();
        runner.recipes().require(value);
        if (workspace.memory().usedBytes() != before) {
            reports.note();
        }
    }

    private void run(IncomingSegment segment, long arrived) throws InterruptedException {
        runner.run(segment, arrived);
        reports.note();
    }

    private void answer(Message.Fetch fetch) throws InterruptedException {
        long start = runner.isTraced() ? workspace.machine().now() : 0;
        fetches.answer(fetch, reports.isDue(queue.isEmpty()) ? reports.take() : new byte[0]);
        if (runner.isTraced()) {
            runner.traced()
                    .writer()
                    .fetched(fetch.fetch(), start, workspace.machine().now());
        }
    }

    private void answer(Message.Trace trace, long arrived) throws InterruptedException {
        EngineTraceWriter events = runner.traced().writer();
        byte[] piece = events.take();
        long now = workspace.machine().now();
        control.send(new Message.Traced(trace.request(), arrived, now, events.hasMore(), piece).encode());
    }

    private void explained(long request, byte[] explanation) throws InterruptedException {
        control.send(new Message.Explained(request, explanation).encode());
    }

    private static MalformedException misplaced(Message message) {
        return new MalformedException(message.getClass().getSimpleName() + " does not belong on the control lane");
    }

    private void free(StepList ids) throws InterruptedException {
        ids.forEach(id -> workspace.values().remove(id).release());
        runner.recipes().settle();
    }
}
