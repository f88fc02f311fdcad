package dev.outpost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.client.start.MachineSource;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.GroupProvider;
import dev.outpost.provider.GroupSpec;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.support.tests.Await;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class GangStartTest {
    private static final GroupSpec PAIR = new GroupSpec(MachineSpec.of(GpuType.ANY), 2, false);

    private final Starts starts = new Starts();
    private final GangStart joint = new GangStart(starts, PAIR);

    /** Keeps the starts that were begun, for the test to end. */
    private static final class Starts implements GroupProvider {
        private final List<UniEmitter<? super List<Lease>>> begun = new ArrayList<>();
        private int cancelled;

        @Override
        public void validate(GroupSpec spec) {}

        @Override
        public Uni<List<Lease>> provision(GroupSpec spec, Consumer<ProvisioningStep> progress) {
            return Uni.createFrom()
                    .<List<Lease>>emitter(begun::add)
                    .onCancellation()
                    .invoke(() -> cancelled++);
        }
    }

    private static final class Machine implements Lease {
        private int releases;

        @Override
        public String id() {
            return "machine";
        }

        @Override
        public Endpoint endpoint() {
            throw new AssertionError("nobody connects");
        }

        @Override
        public Uni<MachineLoss> lost() {
            return Uni.createFrom().nothing();
        }

        @Override
        public Uni<Void> release() {
            return Uni.createFrom().voidItem().invoke(() -> releases++);
        }
    }

    private static CompletableFuture<Lease> ask(MachineSource source) {
        return source.lease(step -> {}).subscribeAsCompletionStage();
    }

    @Test
    void eachMemberGetsItsMachineWhenAllAreThere() throws Exception {
        CompletableFuture<Lease> second = ask(joint.member(1));
        CompletableFuture<Lease> first = ask(joint.member(0));
        assertEquals(1, starts.begun.size());
        List<Lease> machines = List.of(new Machine(), new Machine());
        starts.begun.getFirst().complete(machines);
        assertSame(machines.get(0), first.get());
        assertSame(machines.get(1), second.get());
    }

    @Test
    void aFailureIsEachMembers() {
        Uni<Lease> first = joint.member(0).lease(step -> {});
        CompletableFuture<Lease> second = ask(joint.member(1));
        starts.begun.getFirst().fail(new IllegalStateException("no room"));
        var failed =
                assertThrows(IllegalStateException.class, () -> first.await().atMost(Await.GUARD));
        assertEquals("no room", failed.getMessage());
        assertEquals(true, second.isCompletedExceptionally());
    }

    @Test
    void aMemberThatIsNotWantedEndsTheStartOfAll() {
        CompletableFuture<Lease> first = ask(joint.member(0));
        CompletableFuture<Lease> second = ask(joint.member(1));
        first.cancel(true);
        assertEquals(1, starts.cancelled);
        assertEquals(true, second.isCompletedExceptionally());
    }

    @Test
    void aMemberThatAsksAgainBeginsAnotherStart() {
        ask(joint.member(0));
        ask(joint.member(1));
        ask(joint.member(1));
        ask(joint.member(0));
        assertEquals(2, starts.begun.size());
    }
}
