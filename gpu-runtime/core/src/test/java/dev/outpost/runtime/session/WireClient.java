package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.ConnectionMessage;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.Explained;
import dev.outpost.protocol.message.Farewell;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FetchFailed;
import dev.outpost.protocol.message.Hello;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.RuntimeReply;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.message.Traced;
import dev.outpost.protocol.message.UpdateFailed;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.support.tests.Await;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;

/** A simple client for tests: it numbers frames, drops repeats and acknowledges in the simplest way, and can misbehave on request. */
final class WireClient implements FrameChannel {
    final UUID id;
    private final RuntimeHost host;
    private final GrantAccount grant;
    private final LinkedBlockingQueue<ConnectionMessage> greetings = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> closings = new LinkedBlockingQueue<>();
    private final List<Fault> failures = new CopyOnWriteArrayList<>();
    private final List<UpdateFailed> updates = new CopyOnWriteArrayList<>();
    private final long[] sent = new long[Lane.ALL.size()];
    private final long[] received = new long[Lane.ALL.size()];
    private RuntimeConnection connection;
    private volatile boolean cut;
    volatile boolean mute;

    WireClient(RuntimeHost host) {
        this(host, host.grantBook().owner());
    }

    WireClient(RuntimeHost host, GrantAccount grant) {
        this(host, UUID.randomUUID(), grant);
    }

    WireClient(RuntimeHost host, UUID id) {
        this(host, id, host.grantBook().owner());
    }

    WireClient(RuntimeHost host, UUID id, GrantAccount grant) {
        this.host = host;
        this.grant = grant;
        this.id = id;
    }

    static WireClient connected(RuntimeHost host) throws InterruptedException {
        return connected(host, host.grantBook().owner());
    }

    static WireClient connected(RuntimeHost host, GrantAccount grant) throws InterruptedException {
        WireClient client = new WireClient(host, grant);
        client.connect(false);
        client.welcome();
        return client;
    }

    void connect(boolean resume) {
        connect(ConnectionMessages.hello(id, resume, received.clone(), ProtocolVersions.CURRENT));
    }

    void connect(Hello hello) {
        cut = false;
        connection = host.accept(this, grant);
        connection.onFrame(Frame.Connection.of(hello).encode());
    }

    /** The network breaks: nothing more arrives in either direction. */
    void cut() {
        cut = true;
        connection.onClosed();
    }

    /** Forgets the frames that were received on a lane. */
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
            case Frame.Packed packed -> receive(packed.unpack());
            case Frame.Ack _ -> {}
            case Frame.Connection other -> greetings.add(other.message());
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

    Welcome welcome() throws InterruptedException {
        ConnectionMessage message = Await.next("a welcome comes", greetings);
        assertTrue(message.hasWelcome(), () -> "no welcome came: " + message);
        return message.getWelcome();
    }

    Fault end() throws InterruptedException {
        return lastWord().getFault();
    }

    End lastWord() throws InterruptedException {
        ConnectionMessage message = Await.next("an end comes", greetings);
        assertTrue(message.hasEnd(), () -> "no end came: " + message);
        return message.getEnd();
    }

    /** Acknowledges all messages until the session has ended. */
    Fault acknowledgeUntilTheEnd() {
        return Await.present("the session ends", () -> {
            acknowledge();
            return Optional.ofNullable(greetings.poll())
                    .map(message -> message.getEnd().getFault());
        });
    }

    /** The reason for which the runtime closed the connection. */
    String closed() throws InterruptedException {
        return Await.next("the connection is closed", closings);
    }

    void control(Message message) {
        raw(next(Lane.CONTROL, message.encode()));
    }

    void bulk(Message message) {
        raw(next(Lane.BULK, message.encode()));
    }

    /** Returns the frame for a payload; the caller has to send it. */
    byte[] next(Lane lane, byte[] payload) {
        return new Frame.Data(lane, ++sent[lane.number()], acknowledged(lane), payload).encode();
    }

    private synchronized long acknowledged(Lane lane) {
        return received[lane.number()];
    }

    void raw(byte[] frame) {
        connection.onFrame(frame);
    }

    /** Delivers a frame as the network does, which first asks whether the frame makes room. */
    void arrive(byte[] frame) {
        Slice bytes = new Slice(frame);
        connection.makesRoom(bytes);
        connection.onFrame(bytes);
    }

    /** Returns the next message that is not a report of progress. */
    Message take() throws InterruptedException {
        while (true) {
            Message message = Await.next("the runtime says something; closed: " + closings, inbox);
            acknowledge();
            if (!(message instanceof ToClient.Progress) && !isNoted(message)) {
                return message;
            }
        }
    }

    /** Failures are reported without a request; tests read them here. */
    private boolean isNoted(Message message) {
        if (!(message instanceof ToClient.Reply told)) {
            return false;
        }
        return switch (told.reply().getKindCase()) {
            case FAILED -> failures.add(told.reply().getFailed().getFault());
            case UPDATE_FAILED -> updates.add(told.reply().getUpdateFailed());
            default -> false;
        };
    }

    /** The runtime's unrequested reports of failures, up to the latest message that was taken. */
    List<Fault> failures() {
        return failures;
    }

    /** The runtime's reports of updates that failed, up to the latest message that was taken. */
    List<UpdateFailed> updates() {
        return updates;
    }

    <T extends Message> T take(Class<T> kind) throws InterruptedException {
        return assertInstanceOf(kind, take());
    }

    /** Waits for the first report that covers that many segments. */
    ToClient.Progress progress(long segments) throws InterruptedException {
        while (true) {
            Message message = Await.next("a report of " + segments + " segments comes; closed: " + closings, inbox);
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

    void run(SegmentBuilder segments) {
        control(new ToRuntime.RunSegment(segments.toByteArray()));
    }

    /** Requests a value without waiting for the answer. */
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

    /** Fetches a value after a scan that emits nothing. */
    ToClient.Fetched fetchAfterScan(long number, long value) throws InterruptedException {
        control(new ToRuntime.Fetch(number, value));
        Message next = take();
        while (next instanceof ToClient.Scanned) {
            next = take();
        }
        return assertInstanceOf(ToClient.Fetched.class, next);
    }

    FetchFailed fetchFailing(long number, long value) throws InterruptedException {
        control(new ToRuntime.Fetch(number, value));
        return fetchFailed();
    }

    void free(long... values) {
        control(new ToRuntime.Free(values));
    }

    Farewell goodbye() throws InterruptedException {
        control(ToRuntime.Request.goodbye());
        return farewell();
    }

    Farewell farewell() throws InterruptedException {
        return reply(RuntimeReply::hasFarewell).getFarewell();
    }

    FetchFailed fetchFailed() throws InterruptedException {
        return reply(RuntimeReply::hasFetchFailed).getFetchFailed();
    }

    Explained explained() throws InterruptedException {
        return reply(RuntimeReply::hasExplained).getExplained();
    }

    Traced traced() throws InterruptedException {
        return reply(RuntimeReply::hasTraced).getTraced();
    }

    private RuntimeReply reply(Predicate<RuntimeReply> isExpected) throws InterruptedException {
        RuntimeReply reply = take(ToClient.Reply.class).reply();
        assertTrue(isExpected.test(reply), () -> "another reply came: " + reply);
        return reply;
    }
}
