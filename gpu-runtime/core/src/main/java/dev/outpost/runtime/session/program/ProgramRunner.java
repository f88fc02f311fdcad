package dev.outpost.runtime.session.program;

import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.ProgramCall;
import dev.outpost.protocol.tape.ProgramSlots;
import dev.outpost.runtime.session.fetch.FetchHandler;
import dev.outpost.runtime.session.fetch.Replies;
import dev.outpost.runtime.session.fetch.Reply;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.run.KernelLauncher;
import dev.outpost.runtime.session.run.LoadedProgram;
import dev.outpost.runtime.session.run.ProgressReports;
import dev.outpost.runtime.session.run.SegmentExecutor;
import dev.outpost.runtime.session.run.SessionContext;
import dev.outpost.types.MalformedException;

/** Calls programs over the session's values. Used by the worker thread alone. */
public final class ProgramRunner {
    /** Called when a whole call was launched. */
    @FunctionalInterface
    public interface Launched {
        /** @param reply sent once the call has run */
        void then(Reply reply) throws InterruptedException;
    }

    private final SessionContext context;
    private final SegmentExecutor executor;
    private final KernelLauncher launcher;
    private final FetchHandler fetchHandler;
    private final ProgressReports reports;
    private final Replies replies;

    public ProgramRunner(
            SessionContext context,
            SegmentExecutor executor,
            KernelLauncher launcher,
            FetchHandler fetchHandler,
            ProgressReports reports,
            Replies replies) {
        this.context = context;
        this.executor = executor;
        this.launcher = launcher;
        this.fetchHandler = fetchHandler;
        this.reports = reports;
        this.replies = replies;
    }

    /**
     * Runs a program as many times as the call requests. An instruction that fails poisons only its own results.
     *
     * @param launched called when the whole call was launched
     * @throws InterruptedException if the session ends meanwhile
     */
    public void run(LoadedProgram program, ToRuntime.RunProgram message, Launched launched)
            throws InterruptedException {
        ProgramCall call = program.next(message.call());
        require(program, message, call);
        executor.rematerializations().require(call.inputs());
        ScanRun scan = new ScanRun(context, program, call, message.scan());
        try {
            scan.takeInputs();
            do {
                scan.compute(executor, launcher);
                report(scan);
                scan.emit(fetchHandler);
            } while (scan.advance());
            scan.bindOutputs();
        } finally {
            scan.releaseAll();
        }
        if (scan.isToldOf()) {
            context.scanRequests().over(message.scan());
            launched.then(() -> reports.scanned(message.scan(), scan.iterations(), true));
        } else {
            launched.then(() -> {});
        }
    }

    private void require(LoadedProgram program, ToRuntime.RunProgram message, ProgramCall call) {
        for (long output : call.outputs()) {
            context.values().requireUndefined(output);
        }
        if (call.iterations() > ProgramSlots.MAX_ITERATIONS) {
            throw context.runtime()
                    .limitCounters()
                    .refuse(
                            RuntimeLimit.SCAN_ITERATIONS,
                            "a scan of " + call.iterations() + " runs is over " + ProgramSlots.MAX_ITERATIONS);
        }
        boolean needsNumber = call.iterations() > 1 || program.signature().emitted().length > 0;
        if (needsNumber && message.scan() == 0) {
            throw new MalformedException("a scan has no number");
        }
    }

    private void report(ScanRun scan) throws InterruptedException {
        if (scan.isToldOf()) {
            long iterations = scan.iterations();
            replies.after(launcher.fence(), () -> report(scan.number(), iterations));
        }
    }

    private void report(long scan, long iterations) throws InterruptedException {
        reports.note();
        if (reports.isDue(false)) {
            reports.scanned(scan, iterations, false);
            reports.send();
        }
    }
}
