package dev.outpost.provider.mock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.GpuProviderContract;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.Providers;
import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MockProviderTest extends GpuProviderContract {
    private final MockProvider provider = new MockProvider(MockSettings.STANDARD.withEngine(MockEngine.REFERENCE));

    @Override
    protected GpuProvider provider() {
        return provider;
    }

    @Test
    void itIsFoundOnTheClassPath() {
        assertInstanceOf(MockProvider.class, Providers.discover().find("mock"));
    }

    @Test
    void anUnknownOptionIsRefusedByName() {
        var refused = assertThrows(IllegalArgumentException.class, () -> provider.validate(with("colour", "red")));
        assertTrue(
                refused.getMessage().startsWith("colour: the mock has no such option; it has engine, "),
                refused.getMessage());
    }

    @Test
    void anUnreadableValueIsRefusedWithTheValue() {
        assertEquals("engine: expected cpu or reference, got \"gpu\"", refusal("engine", "gpu"));
        assertEquals("latency: expected a whole number, got \"soon\"", refusal("latency", "soon"));
    }

    @Test
    void optionsOfAMachineGoBeforeTheProvidersSettings() {
        var settings = MockOptions.apply(
                new MachineSpec(GpuType.ANY, 1, Map.of("latency", "7", "cut-every", "60", "quota", "1000"), "m"),
                MockSettings.STANDARD.withQuota(5));
        assertEquals(Duration.ofMillis(7), settings.network().latency());
        assertEquals(60, settings.network().cutEvery());
        assertEquals(1000, settings.quotaBytes());
    }

    @Test
    void aStartThatFailsSaysWhy() {
        var provisioning = provider.provision(with("failure", "no GPU is free; try again later"), step -> {});
        var failed = assertThrows(
                IllegalStateException.class, () -> provisioning.await().atMost(Await.GUARD));
        assertEquals("no GPU is free; try again later", failed.getMessage());
    }

    @Test
    void aStartThatIsCancelledLeavesNothing() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(50), MockProviderTest::cancelAStart);
    }

    private static void cancelAStart(Duration delay) throws InterruptedException {
        MockProvider provider = new MockProvider(MockSettings.STANDARD);
        CountDownLatch begun = new CountDownLatch(1);
        AtomicReference<Lease> lease = new AtomicReference<>();
        var subscription = provider.provision(with("delay", "" + delay.toMillis()), step -> begun.countDown())
                .subscribe()
                .with(lease::set);
        Await.opened("the start has begun", begun);
        subscription.cancel();
        Thread.sleep(delay.multipliedBy(2));
        assertEquals(null, lease.get());
        assertEquals(List.of(), provider.machines());
    }

    @Test
    void aMachineThatIsLostTellsItsLease() {
        Lease lease = provision(MachineSpec.of(GpuType.ANY));
        provider.machines().getFirst().lose("the node was preempted");
        assertEquals(
                MachineLoss.failed("the node was preempted"),
                lease.lost().await().atMost(Await.GUARD));
        lease.release().await().atMost(Await.GUARD);
    }

    @Test
    void aMachineThatIsIdleEndsAsAgreed() {
        Lease lease = provision(with("idle", "50"));
        assertEquals(
                new MachineLoss(MachineLoss.Cause.IDLE, "no instruction arrived for 50 ms"),
                lease.lost().await().atMost(Await.GUARD));
        lease.release().await().atMost(Await.GUARD);
    }

    @Test
    void aStatedLifeEndsByItself() {
        MachineKeeper keeper = provider.keeper().orElseThrow();
        String id = keeper.start(MachineSpec.of(GpuType.ANY), Duration.ofMillis(50), step -> {})
                .await()
                .atMost(Await.GUARD);
        assertEquals(
                "mock-1 ended: its life of PT0.05S is over",
                log(keeper, id, true).getLast());
        var refused = assertThrows(IllegalStateException.class, () -> attach(keeper, id));
        assertEquals("attach: mock-1 has ended: its life of PT0.05S is over", refused.getMessage());
        assertEquals(2, log(keeper, id, false).size());
        List<String> swept = keeper.sweep().await().atMost(Await.GUARD);
        assertEquals(List.of("mock-1: ended: its life of PT0.05S is over"), swept);
        assertEquals(List.of(), provider.machines());
    }

    @Test
    void aLogThatIsNotFollowedEndsWithWhatThereIs() {
        MachineKeeper keeper = provider.keeper().orElseThrow();
        String id = provision(MachineSpec.of(GpuType.ANY)).id();
        assertEquals(List.of("mock-1 started: " + provider.machines().getFirst().device()), log(keeper, id, false));
        provider.machines().getFirst().lose("it was preempted");
    }

    @Test
    void aMachineThatIsTiedToItsProgramCannotBeAttachedTo() {
        MachineKeeper keeper = provider.keeper().orElseThrow();
        Lease lease = provision(MachineSpec.of(GpuType.ANY));
        var refused = assertThrows(IllegalStateException.class, () -> attach(keeper, lease.id()));
        assertEquals("attach: mock-1 belongs to the program that started it", refused.getMessage());
        lease.release().await().atMost(Await.GUARD);
        var gone = assertThrows(IllegalArgumentException.class, () -> attach(keeper, lease.id()));
        assertEquals("the mock has no machine called mock-1; there are none", gone.getMessage());
    }

    private static List<String> log(MachineKeeper keeper, String id, boolean follow) {
        return keeper.logs(id, follow).collect().asList().await().atMost(Await.GUARD);
    }

    private static Lease attach(MachineKeeper keeper, String id) {
        return keeper.attach(id, step -> {}).await().atMost(Await.GUARD);
    }

    private Lease provision(MachineSpec spec) {
        return provider.provision(spec, step -> {}).await().atMost(Await.GUARD);
    }

    private String refusal(String option, String value) {
        return assertThrows(IllegalArgumentException.class, () -> provider.validate(with(option, value)))
                .getMessage();
    }

    private static MachineSpec with(String option, String value) {
        return new MachineSpec(GpuType.ANY, 1, Map.of(option, value), "test");
    }
}
