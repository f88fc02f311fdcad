package dev.outpost.client;

import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.message.Fault;
import dev.outpost.provider.Loss;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import java.time.Duration;

/** What the link tells, as a session understands it. */
final class LinkWatch implements Link.Events {
    /** The session, as far as its link concerns it. */
    interface Life {
        /** The machine has answered. */
        void ready(Frame.Welcome said);

        /** Whether it has. */
        boolean isReady();

        /** Whether the program and the machine have said goodbye to each other. */
        boolean isFarewellSaid();

        void fail(OutpostException reason);

        void lose(Loss loss);

        void hangUp();
    }

    private final String name;
    /** How long the provider, which often knows more a moment later, has to say why the machine is gone. */
    private final Duration patience;

    private final Life life;

    LinkWatch(String name, Duration patience, Life life) {
        this.name = name;
        this.patience = patience;
        this.life = life;
    }

    /** What a program is told whose machine is gone. */
    static MachineLostException lost(String name, String reason) {
        return new MachineLostException(name + ": the machine is lost: " + reason, null);
    }

    @Override
    public void welcomed(Frame.Welcome said) {
        life.ready(said);
    }

    /** A runtime that does not know the session is a machine that was lost; anything else says what it is. */
    @Override
    public void ended(Frame.End end) {
        Fault fault = end.fault();
        boolean expected = life.isFarewellSaid();
        if (end.cause() == Frame.End.Cause.IDLE) {
            life.lose(new Loss(Loss.Cause.IDLE, fault.message()));
        } else if (fault.kind() == FaultKind.EXTERNAL && !expected) {
            failUnlessTold(lost(name, fault.message()));
        } else if (!expected) {
            life.fail(new OutpostException(fault.kind(), name + ": the machine ended the session: " + fault.message()));
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
        life.fail(new OutpostException(FaultKind.USER, name + ": " + reason));
    }

    /** What the connection tells stands where the provider has said nothing when its time is over. */
    private void failUnlessTold(OutpostException reason) {
        if (patience.isZero()) {
            life.fail(reason);
        } else {
            Thread.ofVirtual().name("outpost-loss-" + name).start(() -> failLater(reason));
        }
    }

    private void failLater(OutpostException reason) {
        life.hangUp();
        try {
            Thread.sleep(patience);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        life.fail(reason);
    }
}
