package dev.outpost.runtime.session;

import dev.outpost.protocol.fault.MalformedException;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.tape.ProgramCall;
import dev.outpost.protocol.tape.ProgramSlots;

/** Calls programs over the session's values. Used by the worker alone. */
final class ProgramRunner {
    private final Workspace workspace;
    private final SegmentRunner runner;
    private final Fetches fetches;
    private final Reports reports;

    ProgramRunner(Workspace workspace, SegmentRunner runner, Fetches fetches, Reports reports) {
        this.workspace = workspace;
        this.runner = runner;
        this.fetches = fetches;
        this.reports = reports;
    }

    /**
     * Runs a program as often as the call says. What fails poisons its results and nothing else.
     *
     * @throws InterruptedException when the session ends meanwhile
     */
    void run(LoadedProgram program, Message.RunProgram message) throws InterruptedException {
        ProgramCall call = program.next(message.call());
        require(program, message, call);
        runner.recipes().require(call.inputs());
        ScanRun scan = new ScanRun(workspace, program, call, message.scan());
        try {
            scan.takeInputs();
            do {
                scan.compute(runner);
                tell(scan);
                scan.emit(fetches);
            } while (scan.goesOn());
            scan.bindOutputs();
        } finally {
            scan.releaseAll();
            runner.during("");
        }
        workspace.counters().segments.add(1);
        if (scan.isToldOf()) {
            workspace.scans().over(message.scan());
            reports.scanned(message.scan(), scan.iterations(), true);
        }
    }

    private void require(LoadedProgram program, Message.RunProgram message, ProgramCall call) {
        for (long output : call.outputs()) {
            workspace.values().requireUndefined(output);
        }
        if (call.iterations() > ProgramSlots.MAX_ITERATIONS) {
            throw workspace
                    .machine()
                    .refusals()
                    .refuse(
                            Limit.SCAN_ITERATIONS,
                            "a scan of " + call.iterations() + " runs is over " + ProgramSlots.MAX_ITERATIONS);
        }
        boolean needsNumber = call.iterations() > 1 || program.wiring().emitted().length > 0;
        if (needsNumber && message.scan() == 0) {
            throw new MalformedException("a scan has no number");
        }
    }

    private void tell(ScanRun scan) throws InterruptedException {
        reports.note();
        if (scan.isToldOf() && reports.isDue(false)) {
            reports.scanned(scan.number(), scan.iterations(), false);
            reports.send();
        }
    }
}
