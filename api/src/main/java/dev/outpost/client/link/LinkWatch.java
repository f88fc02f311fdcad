package dev.outpost.client.link;

import dev.outpost.channel.frame.NegotiatedProtocol;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.provider.MachineLoss;
import dev.outpost.types.FaultCode;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import java.time.Duration;

/** Translates the events of the link into events of the session's life. */
public final class LinkWatch implements Link.Events {
    /** The parts of a session that its link uses. */
    public interface Life {
        /** Called when the machine has answered. */
        void ready(Welcome welcome, NegotiatedProtocol negotiated);

        /** Called when the connection broke and the client tries to reconnect. */
        void disconnected(String reason);

        /** Returns true if the machine has answered. */
        boolean isReady();

        /** Returns true if the program and the machine have exchanged their last messages. */
        boolean isFarewellSaid();

        void fail(OutpostException reason);

        /** Called when the machine refuses this client. */
        void refuse(OutpostException reason);

        /** Called when another process has the session. The machine must not be released. */
        void takenOver(OutpostException reason);

        void lose(MachineLoss loss);

        void hangUp();
    }

    private final String name;
    /**
     * The time that the provider has to report why the machine is gone. The provider often knows the cause a moment
     * after the connection broke.
     */
    private final Duration timeout;

    private final Life life;

    public LinkWatch(String name, Duration timeout, Life life) {
        this.name = name;
        this.timeout = timeout;
        this.life = life;
    }

    /** Returns the exception for a program whose machine is gone. */
    public static MachineLostException lost(String name, String reason) {
        return lost(name, FaultCode.NONE, reason);
    }

    private static MachineLostException lost(String name, FaultCode code, String reason) {
        return new MachineLostException(code, name + ": the machine is lost: " + reason, null);
    }

    @Override
    public void welcomed(Welcome welcome, NegotiatedProtocol negotiated) {
        life.ready(welcome, negotiated);
    }

    @Override
    public void disconnected(String reason) {
        life.disconnected(reason);
    }

    /**
     * If the runtime does not know the session, the machine was lost. In other cases the message of the runtime has
     * the reason for the end of the session.
     */
    @Override
    public void ended(End end) {
        Fault fault = end.getFault();
        boolean expected = life.isFarewellSaid();
        if (end.getCause() == End.Cause.IDLE) {
            life.lose(new MachineLoss(MachineLoss.Cause.IDLE, fault.getMessage()));
        } else if (end.getCause() == End.Cause.TAKEN_OVER) {
            life.takenOver(new OutpostException(FaultKind.USER, name + ": " + fault.getMessage()));
        } else if (FaultMessages.kind(fault) == FaultKind.EXTERNAL && !expected) {
            failUnlessTold(lost(name, FaultMessages.code(fault), fault.getMessage()));
        } else if (!expected) {
            life.fail(new OutpostException(
                    FaultMessages.kind(fault),
                    FaultMessages.code(fault),
                    name + ": the machine ended the session: " + fault.getMessage(),
                    null));
        }
    }

    @Override
    public void broken(OutpostException reason) {
        life.fail(new OutpostException(FaultKind.INTERNAL, name + ": " + reason.getMessage(), reason));
    }

    @Override
    public void lost(String reason) {
        failUnlessTold(
                life.isReady()
                        ? lost(name, reason)
                        : new OutpostException(FaultKind.EXTERNAL, name + ": the machine does not answer: " + reason));
    }

    @Override
    public void refused(String reason) {
        life.refuse(new OutpostException(FaultKind.USER, name + ": " + reason));
    }

    /** Fails with the connection's reason unless the provider gives one in time. */
    private void failUnlessTold(OutpostException reason) {
        if (timeout.isZero()) {
            life.fail(reason);
        } else {
            Thread.ofVirtual().name("outpost-loss-" + name).start(() -> failLater(reason));
        }
    }

    private void failLater(OutpostException reason) {
        life.hangUp();
        try {
            Thread.sleep(timeout);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        life.fail(reason);
    }
}
