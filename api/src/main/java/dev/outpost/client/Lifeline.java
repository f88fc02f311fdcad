package dev.outpost.client;

import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.client.profile.SessionProfile;
import dev.outpost.provider.Lease;
import dev.outpost.provider.Loss;
import dev.outpost.transport.Transports;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** An incarnation's lanes, and the connections under them, from the lease on. */
final class Lifeline {
    private static final int LANE_WINDOW_BYTES = 16 << 20;

    /** What an incarnation learns of its machine. */
    interface Events {
        /** The machine has answered, for the first time or on a later connection. */
        void ready(Frame.Welcome said);

        /** It is over. */
        void over(OutpostException reason, boolean asAgreed);
    }

    private final String name;
    private final SessionSettings settings;
    private final Events events;
    private final BooleanSupplier isFarewellSaid;
    /** Null where nobody profiles. */
    private final SessionProfile profile;

    private final ReliableLane[] lanes;
    private volatile Link link;
    private volatile Frame.Welcome welcome;

    /**
     * @param name what errors call the machine
     * @param isFarewellSaid whether the program and the machine have said goodbye to each other
     */
    Lifeline(
            String name,
            SessionSettings settings,
            MessageDispatcher answers,
            Events events,
            BooleanSupplier isFarewellSaid,
            SessionProfile profile) {
        this.name = name;
        this.settings = settings;
        this.events = events;
        this.isFarewellSaid = isFarewellSaid;
        this.profile = profile;
        this.lanes = new ReliableLane[] {
            new ReliableLane(0, LANE_WINDOW_BYTES, answers::deliverControl, System::nanoTime),
            new ReliableLane(1, LANE_WINDOW_BYTES, answers::deliverBulk, System::nanoTime)
        };
    }

    ReliableLane control() {
        return lanes[0];
    }

    ReliableLane bulk() {
        return lanes[1];
    }

    void connect(Lease lease) {
        FrameConnector connector = Transports.connector(lease.endpoint(), settings.connectTimeout());
        Duration patience = lease.isWatched() ? settings.lossPatience() : Duration.ZERO;
        LinkWatch watch = new LinkWatch(name, patience, new Life());
        lease.lost().subscribe().with(this::lose, ignored -> {});
        link = new Link(connector, UUID.randomUUID(), lanes, settings.connectTimeout(), watch, profile);
        link.connect();
    }

    private void lose(Loss loss) {
        events.over(LinkWatch.lost(name, loss.reason()), loss.cause() == Loss.Cause.IDLE);
    }

    void tick() {
        for (ReliableLane lane : lanes) {
            lane.tick();
        }
    }

    /** Whether something that was sent is not acknowledged yet. */
    boolean isAwaitingAcknowledgement() {
        return lanes[0].pendingBytes() + lanes[1].pendingBytes() > 0;
    }

    private boolean isReady() {
        return welcome != null;
    }

    /** What the machine computes on, or null before it is there. */
    String device() {
        Frame.Welcome said = welcome;
        return said == null ? null : said.device();
    }

    /** What the machine has for this client; as much as a long can say before it has said so. */
    long quotaBytes() {
        Frame.Welcome said = welcome;
        return said == null ? Long.MAX_VALUE : said.quotaBytes();
    }

    Traffic traffic() {
        Link connected = link;
        return Traffic.of(lanes, connected == null ? 0 : connected.bytesIn());
    }

    /** Nothing is sent any more. */
    void end(OutpostException reason) {
        Arrays.stream(lanes).forEach(lane -> lane.end(reason));
    }

    void close() {
        Link open = link;
        if (open != null) {
            open.close();
        }
    }

    private final class Life implements LinkWatch.Life {
        @Override
        public void ready(Frame.Welcome said) {
            // First, because what waits for the machine reads it as soon as it goes on.
            welcome = said;
            events.ready(said);
        }

        @Override
        public boolean isReady() {
            return Lifeline.this.isReady();
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
        public void lose(Loss loss) {
            Lifeline.this.lose(loss);
        }

        @Override
        public void hangUp() {
            close();
        }
    }
}
