package dev.outpost.runtime.session;

import dev.outpost.protocol.delivery.Frame;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.MalformedException;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Fault;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runtime's end of one connection. What a client sends can end its session, never the runtime. Each lane may have a
 * thread of its own.
 */
public final class RuntimeConnection {
    private static final Logger LOG = LoggerFactory.getLogger(RuntimeConnection.class);

    private final RuntimeHost host;
    private final FrameOutput out;
    private volatile Session session;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    RuntimeConnection(RuntimeHost host, FrameOutput out) {
        this.host = host;
        this.out = out;
    }

    /** A frame of either lane came; the first must be a hello. */
    public void onFrame(byte[] bytes) {
        if (closed) {
            return;
        }
        try {
            accept(Frame.decode(bytes));
        } catch (OutpostException broken) {
            fail(Fault.of(broken.kind(), broken.getMessage()));
        } catch (RuntimeException | Error defect) {
            LOG.error("a frame could not be handled", defect);
            fail(Fault.of(FaultKind.INTERNAL, "a frame could not be handled: " + defect));
        }
    }

    /** The connection is gone; the session waits for another, as long as its lease lasts. */
    public void onClosed() {
        closed = true;
        Session attached = session;
        if (attached != null) {
            attached.detach(this);
        }
    }

    void send(int lane, byte[] frame) {
        if (!closed) {
            out.send(lane, frame);
        }
    }

    /** Says that the session is over, and closes. */
    void end(Fault fault) {
        if (closing.compareAndSet(false, true)) {
            send(0, new Frame.End(fault).encode());
            closed = true;
            out.close(fault.message());
        }
    }

    void close(String reason) {
        if (closing.compareAndSet(false, true)) {
            closed = true;
            out.close(reason);
        }
    }

    private void accept(Frame frame) {
        switch (frame) {
            case Frame.Hello hello -> greet(hello);
            case Frame.Data data -> session().onData(data);
            case Frame.Ack ack -> session().onAck(ack);
            case Frame.End end -> fail(end.fault());
            case Frame.Welcome _ -> throw new MalformedException("a welcome does not come from a client");
        }
    }

    private void greet(Frame.Hello hello) {
        if (session != null) {
            throw new MalformedException("a second hello on one connection");
        }
        Session found = host.session(hello);
        // Before the welcome goes out: what answers it on the other lane may be here before this method returns.
        session = found;
        found.attach(this, hello.received());
        if (closed) {
            found.detach(this);
        }
    }

    private Session session() {
        Session attached = session;
        if (attached == null) {
            throw new MalformedException("the first frame of a connection must be a hello");
        }
        return attached;
    }

    private void fail(Fault fault) {
        Session attached = session;
        if (attached != null) {
            attached.end(fault);
        }
        end(fault);
    }
}
