package dev.outpost.runtime.session;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameOutput;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.frame.NegotiatedProtocol;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.ConnectionMessage;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Hello;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.session.context.Faults;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The runtime's side of one connection. A client's frames can end its session, but never the runtime. Each lane may have its own thread
 * that delivers its frames.
 */
public final class RuntimeConnection {
    private final RuntimeContext runtime;
    private final Sessions sessions;
    private final ConnectionLimiter connectionLimiter;
    private final GrantAccount grant;
    private final FrameChannel channel;
    private volatile long opened;
    private volatile Session session;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    RuntimeConnection(
            RuntimeContext runtime,
            Sessions sessions,
            ConnectionLimiter connectionLimiter,
            GrantAccount grant,
            FrameChannel channel) {
        this.runtime = runtime;
        this.sessions = sessions;
        this.connectionLimiter = connectionLimiter;
        this.grant = grant;
        this.channel = channel;
        this.opened = runtime.now();
    }

    /** Handles a frame of either lane. The first frame must be a hello. */
    public void onFrame(byte[] bytes) {
        onFrame(new Slice(bytes));
    }

    /** Works like {@link #onFrame(byte[])}, but the caller reuses the bytes after this returns. */
    public void onFrame(Bytes bytes) {
        if (closed) {
            return;
        }
        try {
            accept(decode(bytes), bytes.length());
        } catch (EndedException failure) {
            fail(failure.end());
        } catch (OutpostException failure) {
            fail(FaultMessages.of(failure));
        } catch (RuntimeException | Error failure) {
            fail(FaultMessages.of(FaultKind.INTERNAL, "a frame could not be handled: " + failure));
            runtime.internalErrorLog().report("a frame could not be handled", failure);
        }
    }

    /**
     * Returns true if handling this frame may take a while, because it begins an upload, which allocates memory, or
     * must be decompressed. Handling any other frame takes little time.
     */
    public boolean makesRoom(Bytes bytes) {
        if (session == null) {
            return false;
        }
        try {
            return switch (Frame.decode(bytes)) {
                case Frame.Data data -> data.lane() == Lane.BULK && beginsUpload(data.payload());
                case Frame.Packed _ -> true;
                case Frame.Ack _, Frame.Connection _ -> false;
            };
        } catch (OutpostException ignored) {
            // Handling the frame reports the failure.
            return false;
        }
    }

    /**
     * Returns true if the backlog of bulk data is so long that further data should wait, see {@link #whenCaughtUp}.
     */
    public boolean isBehind() {
        Session attached = session;
        return attached != null && attached.backlog().isLong();
    }

    /**
     * Runs an action as soon as the engine has caught up: immediately, or later on a thread that the action must not block.
     * This holds back bulk data without blocking a network thread. Only one action can wait at a time.
     */
    public void whenCaughtUp(Runnable action) {
        Session attached = session;
        if (attached == null) {
            action.run();
        } else {
            attached.backlog().whenShort(action);
        }
    }

    private static boolean beginsUpload(Bytes payload) {
        boolean[] begins = {false};
        Message.decodeEach(payload, ToRuntime.UploadChunk.class, chunk -> begins[0] |= chunk.offset() == 0);
        return begins[0];
    }

    /** Continues to send bulk data. Called when the output is ready for more. */
    public void onBulkReady() {
        Session attached = session;
        if (attached != null) {
            attached.onBulkReady();
        }
    }

    /** Marks the connection as closed. The session waits for another connection until its lease ends. */
    public void onClosed() {
        closed();
        Session attached = session;
        if (attached != null) {
            attached.detach(this);
        }
    }

    /** Returns the output to the client. */
    FrameOutput output() {
        return channel;
    }

    long opened() {
        return opened;
    }

    /** Returns true if the connection has been open for this time without a hello. */
    boolean isSilentFor(Duration time) {
        return isSilentFor(time, runtime.now());
    }

    private boolean isSilentFor(Duration time, long now) {
        return session == null && now - opened > time.toNanos();
    }

    void extend(long nanos) {
        opened += nanos;
    }

    /** Closes the connection if no hello arrived within the lease. Called every few milliseconds. */
    void tick(long now) {
        if (isSilentFor(runtime.settings().lease(), now)) {
            end(ConnectionMessages.end(FaultMessages.of(FaultKind.EXTERNAL, "no hello arrived on the connection")));
        }
    }

    /** Informs the client that the session has ended, and closes the connection. */
    void end(End end) {
        if (closing.compareAndSet(false, true)) {
            if (session == null && runtime.log() != null) {
                runtime.log().life("Refusal", end.getFault().getMessage());
            }
            channel.send(Lane.CONTROL, Frame.Connection.of(end).encode());
            closed();
            channel.close(end.getFault().getMessage());
        }
    }

    void close(String reason) {
        if (closing.compareAndSet(false, true)) {
            closed();
            channel.close(reason);
        }
    }

    private void closed() {
        closed = true;
        connectionLimiter.remove(this);
    }

    private Frame decode(Bytes bytes) {
        if (bytes.length() > Frame.MAX_BYTES) {
            throw runtime.limitCounters()
                    .refuse(
                            RuntimeLimit.FRAME_BYTES,
                            "a frame of " + bytes.length() + " bytes is over " + Frame.MAX_BYTES);
        }
        if (session == null) {
            Frame.requireHello(bytes);
        }
        return Frame.decode(bytes);
    }

    private void accept(Frame frame, int bytes) {
        switch (frame) {
            case Frame.Connection connection -> accept(connection.message());
            case Frame.Data data -> session.onData(data, bytes);
            case Frame.Packed packed -> session.onPacked(packed, bytes);
            case Frame.Ack ack -> session.onAck(ack, bytes);
        }
    }

    private void accept(ConnectionMessage message) {
        switch (message.getKindCase()) {
            case HELLO -> greet(message.getHello());
            case END -> fail(said(message.getEnd().getFault()));
            case WELCOME, KIND_NOT_SET -> throw new MalformedException("a welcome does not come from a client");
        }
    }

    private static Fault said(Fault fault) {
        return FaultMessages.of(
                FaultMessages.kind(fault), "the client ended the session: " + Faults.brief(fault.getMessage()));
    }

    private void greet(Hello hello) {
        if (session != null) {
            throw new MalformedException("a second hello on one connection");
        }
        NegotiatedProtocol negotiated = sessions.agree(hello);
        Session found = sessions.greet(hello, grant);
        // This is set before the welcome is sent, because the client's answer on the other lane may arrive before this
        // method returns.
        session = found;
        found.attach(this, ConnectionMessages.received(hello), negotiated);
        if (closed) {
            found.detach(this);
        }
    }

    private void fail(Fault fault) {
        fail(ConnectionMessages.end(fault));
    }

    private void fail(End end) {
        Session attached = session;
        if (attached != null) {
            attached.end(end);
        }
        end(end);
    }
}
