package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client made by hand: it numbers, drops repeats and acknowledges in the plainest way, and can be told to misbehave. */
final class WireClient implements FrameChannel {
    private static final int WAIT_SECONDS = 30;

    final UUID id;
    private final RuntimeHost host;
    private final LinkedBlockingQueue<Frame> greetings = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> closings = new LinkedBlockingQueue<>();
    private final List<Fault> failures = new CopyOnWriteArrayList<>();
    private final List<ToClient.UpdateFailed> updates = new CopyOnWriteArrayList<>();
    private final long[] sent = new long[Lane.ALL.size()];
    private final long[] received = new long[Lane.ALL.size()];
    private RuntimeConnection connection;
    private volatile boolean cut;
    volatile boolean mute;

    WireClient(RuntimeHost host) {
        this(host, UUID.randomUUID());
    }

    WireClient(RuntimeHost host, UUID id) {
        this.host = host;
        this.id = id;
    }

    static WireClient connected(RuntimeHost host) throws InterruptedException {
        WireClient client = new WireClient(host);
        client.connect(false);
        client.welcome();
        return client;
    }

    void connect(boolean resume) {
        cut = false;
        connection = host.accept(this);
        connection.onFrame(new Frame.Hello(id, resume, received.clone()).encode());
    }

    /** The network breaks: nothing more arrives in either direction. */
    void cut() {
        cut = true;
        connection.onClosed();
    }

    /** As if nothing of a lane had arrived yet. */
    synchronized void forget(Lane lane) {
        received[lane.number()] = 0;
    }

    @Override
    public synchronized void send(Lane lane, byte[] bytes) {
        if (cut) {
            return;
        }
        switch (Frame.decode(bytes)) {
            case Frame.Data data -> receive(data);
            case Frame.Ack _ -> {}
            case Frame other -> greetings.add(other);
        }
    }

    @Override
    public void close(String reason) {
        closings.add(reason);
    }

    private void receive(Frame.Data data) {
        int lane = data.lane().number();
        if (data.number() == received[lane] + 1) {
            received[lane]++;
            inbox.addAll(Message.decodeAll(data.payload()));
        }
    }

    Frame.Welcome welcome() throws InterruptedException {
        return assertInstanceOf(Frame.Welcome.class, greetings.poll(WAIT_SECONDS, TimeUnit.SECONDS));
    }

    Fault end() throws InterruptedException {
        return lastWord().fault();
    }

    Frame.End lastWord() throws InterruptedException {
        return assertInstanceOf(Frame.End.class, greetings.poll(WAIT_SECONDS, TimeUnit.SECONDS));
    }

    /** Acknowledges what comes until the session is over. */
    Fault acknowledgeUntilTheEnd() throws InterruptedException {
        for (int attempt = 0; attempt < 1000 * WAIT_SECONDS; attempt++) {
            acknowledge();
            Frame frame = greetings.poll(1, TimeUnit.MILLISECONDS);
            if (frame != null) {
                return assertInstanceOf(Frame.End.class, frame).fault();
            }
        }
        throw new AssertionError("the session did not end within " + WAIT_SECONDS + " s");
    }

    /** Why the runtime closed the connection. */
    String closed() throws InterruptedException {
        return closings.poll(WAIT_SECONDS, TimeUnit.SECONDS);
    }

    void control(Message message) {
        raw(next(Lane.CONTROL, message.encode()));
    }

    void bulk(Message message) {
        raw(next(Lane.BULK, message.encode()));
    }

    /** The frame that a payload would travel in; sending it is up to the caller. */
    byte[] next(Lane lane, byte[] payload) {
        return new Frame.Data(lane, ++sent[lane.number()], acknowledged(lane), payload).encode();
    }

    private synchronized long acknowledged(Lane lane) {
        return received[lane.number()];
    }

    void raw(byte[] frame) {
        connection.onFrame(frame);
    }

    /** As a frame comes from the network: it is asked first whether it makes room. */
    void arrive(byte[] frame) {
        Slice bytes = new Slice(frame);
        connection.makesRoom(bytes);
        connection.onFrame(bytes);
    }

    /** The next message that is not a report of progress. */
    Message take() throws InterruptedException {
        return take(Duration.ofSeconds(WAIT_SECONDS));
    }

    /** As {@link #take()}, with more patience. */
    Message take(Duration atMost) throws InterruptedException {
        while (true) {
            Message message = inbox.poll(atMost.toSeconds(), TimeUnit.SECONDS);
            assertNotNull(message, "the runtime said nothing for " + atMost.toSeconds() + " s; closed: " + closings);
            acknowledge();
            if (!(message instanceof ToClient.Progress) && !isNoted(message)) {
                return message;
            }
        }
    }

    /** Failures are told of unasked; tests ask for them here. */
    private boolean isNoted(Message message) {
        return switch (message) {
            case ToClient.Failed failed -> failures.add(failed.fault());
            case ToClient.UpdateFailed failed -> updates.add(failed);
            default -> false;
        };
    }

    /** What the runtime has said of failures that nobody asked for, up to the latest message that was taken. */
    List<Fault> failures() {
        return failures;
    }

    /** What the runtime has said of updates that failed, up to the latest message that was taken. */
    List<ToClient.UpdateFailed> updates() {
        return updates;
    }

    <T extends Message> T take(Class<T> kind) throws InterruptedException {
        return assertInstanceOf(kind, take());
    }

    /** The first report that covers that many segments. */
    ToClient.Progress progress(long segments) throws InterruptedException {
        while (true) {
            Message message = inbox.poll(WAIT_SECONDS, TimeUnit.SECONDS);
            acknowledge();
            if (!isNoted(message)
                    && assertInstanceOf(ToClient.Progress.class, message) instanceof ToClient.Progress progress
                    && progress.segments() >= segments) {
                return progress;
            }
        }
    }

    void acknowledge() {
        if (!mute) {
            raw(new Frame.Ack(Lane.CONTROL, acknowledged(Lane.CONTROL)).encode());
            raw(new Frame.Ack(Lane.BULK, acknowledged(Lane.BULK)).encode());
        }
    }

    void run(Recorder recorder) {
        control(new ToRuntime.RunSegment(recorder.toByteArray()));
    }

    /** Asks for a value, and takes no answer. */
    void fetchLater(long number, long value) {
        control(new ToRuntime.Fetch(number, value));
    }

    boolean isBehind() {
        return connection.isBehind();
    }

    void whenCaughtUp(Runnable action) {
        connection.whenCaughtUp(action);
    }

    ToClient.Fetched fetch(long number, long value) throws InterruptedException {
        control(new ToRuntime.Fetch(number, value));
        return take(ToClient.Fetched.class);
    }

    /** As {@link #fetch}, behind a scan that emits nothing. */
    ToClient.Fetched fetchAfterScan(long number, long value) throws InterruptedException {
        control(new ToRuntime.Fetch(number, value));
        Message next = take();
        while (next instanceof ToClient.Scanned) {
            next = take();
        }
        return assertInstanceOf(ToClient.Fetched.class, next);
    }

    ToClient.FetchFailed fetchFailing(long number, long value) throws InterruptedException {
        control(new ToRuntime.Fetch(number, value));
        return take(ToClient.FetchFailed.class);
    }

    void free(long... values) {
        control(new ToRuntime.Free(values));
    }

    ToClient.Farewell goodbye() throws InterruptedException {
        control(new ToRuntime.Goodbye());
        return take(ToClient.Farewell.class);
    }
}
