package dev.outpost.runtime.session.fetch;

import dev.outpost.channel.delivery.Lanes;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.FetchFailed;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.context.Faults;
import dev.outpost.runtime.session.context.InternalErrorLog;
import dev.outpost.runtime.session.run.LazyElements;
import dev.outpost.runtime.session.run.SessionContext;
import dev.outpost.runtime.session.run.SessionValues;
import dev.outpost.runtime.session.run.Value;
import dev.outpost.runtime.session.schedule.TimeSlice;
import dev.outpost.types.FaultKind;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Answers a session's fetches: small values in the reply, large ones by {@link Downloads}. Used by the worker thread,
 * except for the methods of replies.
 */
public final class FetchHandler {
    private static final int MAX_LOST = 64;
    private static final byte[] NOTHING = new byte[0];

    /** The number of unacknowledged bytes up to which sending does not wait. */
    private static final long ROOMY_BYTES = 64 << 10;

    private final long session;
    private final Engine engine;
    private final InternalErrorLog internalErrorLog;
    private final SessionValues values;
    private final Faults faults;
    private final ReliableLane control;
    private final TimeSlice slice;
    private final Replies replies;
    private final Downloads downloads;

    /** @param onBroken receives the failure after which no more large values are sent */
    public FetchHandler(SessionContext context, Lanes lanes, Replies replies, Consumer<Throwable> onBroken) {
        this.session = context.session();
        this.engine = context.engine();
        this.internalErrorLog = context.runtime().internalErrorLog();
        this.values = context.values();
        this.faults = context.faults();
        this.control = lanes.control();
        this.slice = context.slice();
        this.replies = replies;
        this.downloads = new Downloads(context, lanes.bulk(), this::fail, onBroken);
    }

    /**
     * Answers a fetch. Either reads the value before it returns or becomes an owner of its memory, so the caller may
     * free the value afterwards.
     *
     * @param report called when the answer is sent; returns a report to append to its frame
     */
    public void answer(ToRuntime.Fetch fetch, Supplier<byte[]> report) throws InterruptedException {
        answer(fetch.fetch(), values.get(fetch.value()), report);
    }

    /**
     * Sends a value that a scan emits. Releases the time slice first if sending may wait, so that other sessions can
     * run.
     */
    public void emit(long fetch, Value value) throws InterruptedException {
        if (value.type().bytes() > Message.INLINE_BYTES || control.pendingBytes() > ROOMY_BYTES) {
            slice.release();
        }
        answer(fetch, value, () -> NOTHING);
    }

    private void answer(long fetch, Value value, Supplier<byte[]> report) throws InterruptedException {
        switch (value) {
            case Value.Present present -> sendHome(fetch, present, report);
            case LazyElements _ -> throw new IllegalStateException("a value is to be computed before it is fetched");
            case Value.Poisoned poisoned -> {
                Fault fault = poisoned.fault();
                faults.seen(fault);
                Message failed = failed(fetch, fault, values.lostTo(fault, MAX_LOST));
                replies.after(Completion.DONE, () -> send(failed, report.get()));
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
    public void finish() throws InterruptedException {
        downloads.finish();
    }

    /** Stops. Drops the downloads that were not handed to the lane. */
    public void close() {
        downloads.close();
    }

    private void sendHome(long fetch, Value.Present value, Supplier<byte[]> report) throws InterruptedException {
        boolean isInline = value.type().bytes() <= Message.INLINE_BYTES;
        byte[] bytes = NOTHING;
        Completion read = Completion.DONE;
        try {
            if (isInline) {
                bytes = new byte[(int) value.type().bytes()];
                read = engine.readLater(
                        value.array(), 0, (int) value.type().shape().elements(), bytes, 0);
            }
        } catch (RuntimeException | OutOfMemoryError problem) {
            replies.after(Completion.DONE, () -> unreadable(fetch, problem, report));
            return;
        }
        replies.after(read, new Answer(fetch, value.retain(), bytes, report, isInline));
    }

    /**
     * The answer to a fetch: a small value, or the announcement of a download. It owns the value until the answer is
     * sent or the download begins.
     */
    private final class Answer implements Reply {
        private final long fetch;
        private final Value.Present value;
        private final byte[] bytes;
        private final Supplier<byte[]> report;
        private final boolean isInline;

        Answer(long fetch, Value.Present value, byte[] bytes, Supplier<byte[]> report, boolean isInline) {
            this.fetch = fetch;
            this.value = value;
            this.bytes = bytes;
            this.report = report;
            this.isInline = isInline;
        }

        @Override
        public void send() throws InterruptedException {
            boolean isDownloaded = false;
            try {
                FetchHandler.this.send(new ToClient.Fetched(fetch, value.type(), bytes), report.get());
                isDownloaded = !isInline;
            } finally {
                if (!isDownloaded) {
                    value.release();
                }
            }
            if (isDownloaded) {
                downloads.submit(fetch, value);
            }
        }

        @Override
        public void fail(Throwable problem) throws InterruptedException {
            value.release();
            unreadable(fetch, problem, report);
        }

        @Override
        public void drop() {
            value.release();
        }
    }

    private void unreadable(long fetch, Throwable problem, Supplier<byte[]> report) throws InterruptedException {
        fail(fetch, problem);
        byte[] due = report.get();
        if (due.length > 0) {
            control.send(due);
        }
    }

    private void fail(long fetch, Throwable problem) {
        internalErrorLog.report("session " + session + " could not read a value", problem);
        Fault fault = FaultMessages.of(FaultKind.INTERNAL, "fetch: the value could not be read: " + problem);
        control.sendNow(failed(fetch, fault).encode());
    }

    private static Message failed(long fetch, Fault fault, long... lost) {
        return ToClient.Reply.of(FetchFailed.newBuilder()
                .setFetch(fetch)
                .setFault(fault)
                .addAllLost(Arrays.stream(lost).boxed().toList())
                .build());
    }
}
