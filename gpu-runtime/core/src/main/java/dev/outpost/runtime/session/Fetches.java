package dev.outpost.runtime.session;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Message;
import dev.outpost.runtime.engine.Engine;
import java.util.Arrays;

/** Answers a session's fetches: small values at once, large ones by {@link Downloads}. Used by the worker alone. */
final class Fetches {
    private static final int MAX_LOST = 64;
    private static final byte[] NOTHING = new byte[0];

    /** While no more than this is unacknowledged, sending does not wait. */
    private static final long ROOMY_BYTES = 64 << 10;

    private final long session;
    private final Engine engine;
    private final Defects defects;
    private final Values values;
    private final Faults faults;
    private final ReliableLane control;
    private final Turn turn;
    private final Downloads downloads;

    Fetches(Workspace workspace, Lanes lanes) {
        this.session = workspace.session();
        this.engine = workspace.engine();
        this.defects = workspace.machine().defects();
        this.values = workspace.values();
        this.faults = workspace.faults();
        this.control = lanes.control();
        this.turn = workspace.turn();
        this.downloads = new Downloads(engine, lanes.bulk(), this::fail);
    }

    /**
     * Reads the value before it returns, or shares its memory: it may be freed right after.
     *
     * @param report what goes behind the answer, in its frame
     */
    void answer(Message.Fetch fetch, byte[] report) throws InterruptedException {
        answer(fetch.fetch(), values.get(fetch.value()), report);
    }

    /** Answers a fetch that nobody asked for in a message of its own; what is waited for holds up nobody else. */
    void emit(long fetch, Value value) throws InterruptedException {
        if (value.type().bytes() > Message.INLINE_BYTES || control.pendingBytes() > ROOMY_BYTES) {
            turn.giveBack();
        }
        answer(fetch, value, NOTHING);
    }

    private void answer(long fetch, Value value, byte[] report) throws InterruptedException {
        switch (value) {
            case Value.Present present -> sendHome(fetch, present, report);
            case Deferred _ -> throw new IllegalStateException("a value is to be computed before it is fetched");
            case Value.Poisoned poisoned -> {
                Fault fault = poisoned.fault();
                faults.seen(fault);
                send(new Message.FetchFailed(fetch, fault, values.lostTo(fault, MAX_LOST)), report);
            }
        }
    }

    private void send(Message answer, byte[] report) throws InterruptedException {
        byte[] encoded = answer.encode();
        byte[] both = Arrays.copyOf(encoded, encoded.length + report.length);
        System.arraycopy(report, 0, both, encoded.length, report.length);
        control.send(both);
    }

    /** Waits until all answers have been handed to the lanes. */
    void finish() throws InterruptedException {
        downloads.finish();
    }

    /** Stops; what was not handed over is dropped. */
    void close() {
        downloads.close();
    }

    private void sendHome(long fetch, Value.Present value, byte[] report) throws InterruptedException {
        byte[] bytes = NOTHING;
        boolean inline = false;
        try {
            inline = value.type().bytes() <= Message.INLINE_BYTES;
            if (inline) {
                bytes = engine.read(value.array(), 0, (int) value.type().shape().elements());
            }
        } catch (RuntimeException | OutOfMemoryError problem) {
            fail(fetch, problem);
            if (report.length > 0) {
                control.send(report);
            }
            return;
        }
        send(new Message.Fetched(fetch, value.type(), bytes), report);
        if (!inline) {
            downloads.submit(fetch, value.retain());
        }
    }

    private void fail(long fetch, Throwable problem) {
        defects.report("session " + session + " could not read a value", problem);
        Fault fault = Fault.of(FaultKind.INTERNAL, "fetch: the value could not be read: " + problem);
        control.sendNow(new Message.FetchFailed(fetch, fault, new long[0]).encode());
    }
}
