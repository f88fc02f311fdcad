package dev.outpost.client.session;

import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.Lanes;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.channel.frame.NegotiatedProtocol;
import dev.outpost.client.link.Link;
import dev.outpost.client.link.LinkWatch;
import dev.outpost.client.profile.SessionProfile;
import dev.outpost.client.stats.Traffic;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.transport.Transports;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** The lanes of a session and the connections that carry them, from the lease until the end. */
final class SessionChannel {
    /** The events of a machine, from its start to its end, that a session handles. */
    interface Events {
        /** Called when the machine has answered, on the first or a later connection. */
        void ready(Welcome welcome, NegotiatedProtocol negotiated);

        /** Called when the connection broke and the client tries to reconnect. Must not block. */
        void disconnected(String reason);

        /** Called when the machine refuses this client. */
        void refused(OutpostException reason);

        /** Called when another process has the session. The machine must not be released. */
        void takenOver(OutpostException reason);

        /** Called when the session is over. */
        void over(OutpostException reason, boolean asAgreed);
    }

    private final String name;
    private final SessionSettings settings;
    private final Events events;
    private final BooleanSupplier isFarewellSaid;
    /** Null if nothing is profiled. */
    private final SessionProfile profile;

    private final Lanes lanes;
    private volatile Link link;
    private volatile Welcome welcome;

    /**
     * @param name the machine's name in errors
     * @param isFarewellSaid returns true if the program and the machine have exchanged their last messages
     */
    SessionChannel(
            String name,
            SessionSettings settings,
            MessageDispatcher dispatcher,
            Events events,
            BooleanSupplier isFarewellSaid,
            SessionProfile profile) {
        this.name = name;
        this.settings = settings;
        this.events = events;
        this.isFarewellSaid = isFarewellSaid;
        this.profile = profile;
        this.lanes = new Lanes(
                Map.of(Lane.CONTROL, dispatcher::deliverControl, Lane.BULK, dispatcher::deliverBulk), System::nanoTime);
    }

    ReliableLane control() {
        return lanes.control();
    }

    ReliableLane bulk() {
        return lanes.bulk();
    }

    void connect(Lease lease) {
        FrameConnector connector = Transports.connector(lease.endpoint(), settings.connectTimeout());
        Duration timeout = lease.isWatched() ? settings.lossTimeout() : Duration.ZERO;
        LinkWatch watch = new LinkWatch(name, timeout, new Life());
        lease.lost().subscribe().with(this::lose, ignored -> {});
        link = new Link(
                connector, UUID.randomUUID(), lanes, settings.versions(), settings.connectTimeout(), watch, profile);
        link.connect();
    }

    private void lose(MachineLoss loss) {
        events.over(LinkWatch.lost(name, loss.reason()), loss.cause() == MachineLoss.Cause.IDLE);
    }

    void tick() {
        lanes.tick();
    }

    /** Returns true if the machine has not acknowledged all messages. */
    boolean isAwaitingAcknowledgement() {
        return !lanes.isAllAcknowledged();
    }

    private boolean isReady() {
        return welcome != null;
    }

    /** Returns the device that the machine computes on, or null before the machine is ready. */
    String device() {
        Welcome received = welcome;
        return received == null ? null : received.getDevice();
    }

    /** Returns the machine's memory for this client in bytes; Long.MAX_VALUE until the machine has sent the number. */
    long quotaBytes() {
        Welcome received = welcome;
        return received == null ? Long.MAX_VALUE : received.getQuotaBytes();
    }

    Traffic traffic() {
        return Traffic.of(lanes);
    }

    /** Ends the lanes; nothing is sent any more. */
    void end(OutpostException reason) {
        lanes.end(reason);
    }

    void close() {
        Link open = link;
        if (open != null) {
            open.close();
        }
    }

    private final class Life implements LinkWatch.Life {
        @Override
        public void ready(Welcome received, NegotiatedProtocol negotiated) {
            // This is done first, because threads that wait for the machine read this field as soon as they continue.
            welcome = received;
            events.ready(received, negotiated);
        }

        @Override
        public void disconnected(String reason) {
            events.disconnected(reason);
        }

        @Override
        public boolean isReady() {
            return SessionChannel.this.isReady();
        }

        @Override
        public boolean isFarewellSaid() {
            return isFarewellSaid.getAsBoolean();
        }

        @Override
        public void fail(OutpostException reason) {
            events.over(reason, false);
        }

        @Override
        public void refuse(OutpostException reason) {
            events.refused(reason);
        }

        @Override
        public void takenOver(OutpostException reason) {
            events.takenOver(reason);
        }

        @Override
        public void lose(MachineLoss loss) {
            SessionChannel.this.lose(loss);
        }

        @Override
        public void hangUp() {
            close();
        }
    }
}
