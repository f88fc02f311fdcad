package dev.outpost.client.group;

import dev.outpost.client.program.ProgramCalled;
import dev.outpost.client.program.ProgramCalls;
import dev.outpost.client.program.ProgramRun;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.record.RecordingState;
import dev.outpost.client.session.PendingFetches;
import dev.outpost.client.transfer.BytesSink;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.concurrent.CompletableFuture;

/** One scan on a group. The thread that called it reads the condition between the runs. */
final class GroupScan {
    /** The number of runs whose emissions may still be under way when the next run is sent. */
    private static final long MAX_EMISSIONS_AHEAD = 256;

    private static final TensorType CONDITION = new TensorType(DType.BOOL, Shape.SCALAR);

    private final GroupSession group;
    private final RecordingState recording;
    private final ProgramCalls calls;
    private final RemoteScan scan;

    GroupScan(GroupSession group, RecordingState recording, ProgramCalls calls, RemoteScan scan) {
        this.group = group;
        this.recording = recording;
        this.calls = calls;
        this.scan = scan;
    }

    private record Begun(ProgramCalled called, GroupCall call) {}

    /** Begins the scan. The rest of the returned call sends the runs. */
    ProgramCalled run(ProgramRun run) {
        group.awaitRoom();
        fetches().open(scan);
        Begun begun = recording.guarded(() -> begin(run));
        ProgramCalled called = begun.called();
        return new ProgramCalled(called.inputs(), called.outputs(), () -> runAll(begun));
    }

    private Begun begin(ProgramRun run) {
        ProgramCalled called = calls.run(run, scan);
        recording.scans().begin(called.outputs());
        return new Begun(called, group.delivery().takeBegun());
    }

    private void runAll(Begun begun) {
        GroupCall call = begun.call();
        try {
            while (runNext(call)) {
                guarded(call::advance);
            }
            guarded(call::end);
        } catch (MachineLostException lost) {
            // All values of the machine are lost, including the outputs of this scan.
            throw lost;
        } catch (RuntimeException | Error failure) {
            guarded(() -> recording.scans().fail(begun.called().outputs(), failed(call, failure)));
            throw failure;
        } finally {
            guarded(() -> recording.scans().end(begun.called().outputs()));
        }
        scan.progress(call.iterations(), true);
        fetches().forgetComplete();
    }

    private static OutpostException failed(GroupCall call, Throwable failure) {
        FaultKind kind = failure instanceof OutpostException known ? known.kind() : FaultKind.INTERNAL;
        return new OutpostException(
                kind,
                "the tensor has no values: the scan that writes it failed after " + call.iterations() + " of at most "
                        + call.most() + " runs: " + failure.getMessage(),
                failure);
    }

    private PendingFetches fetches() {
        return group.lead().replies().fetches();
    }

    private void guarded(Runnable step) {
        recording.guarded(() -> {
            step.run();
            return null;
        });
    }

    /** Sends one run. Returns true if another run follows. */
    private boolean runNext(GroupCall call) {
        group.awaitRoom();
        guarded(call::runNext);
        scan.progress(call.iterations(), false);
        if (call.isLast() || call.stops() && awaitStopCondition(call)) {
            return false;
        }
        scan.awaitEmissions(call.iterations() - MAX_EMISSIONS_AHEAD);
        return true;
    }

    /** Waits for the condition; returns true if the scan ends. The scan also ends if a fault took the condition. */
    private boolean awaitStopCondition(GroupCall call) {
        BytesSink sink = new BytesSink(1);
        CompletableFuture<Void> answer = group.asking(() -> recording.guarded(() -> ask(call, sink)));
        return group.lead().waits().await(answer.handle((nothing, failure) -> failure != null || sink.bytes()[0] != 0));
    }

    private CompletableFuture<Void> ask(GroupCall call, BytesSink sink) {
        long fetch = fetches().begin(CONDITION, sink);
        group.delivery().fetch(fetch, call.stopId(), CONDITION);
        return fetches().future(fetch);
    }
}
