package dev.outpost.provider.k8s.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.k8s.MachineObjects;
import dev.outpost.provider.k8s.MockApi;
import dev.outpost.provider.k8s.Quick;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.support.WakeSignal;
import dev.outpost.support.tests.Await;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MachineMonitorTest {
    private final MockApi api = MockApi.start();
    private final KubernetesClient client = api.client();

    private final WakeSignal wakeSignal = new WakeSignal();
    private volatile LongSupplier nanos = System::nanoTime;
    private Cluster cluster;
    private MachineObserver observer;
    private MachineMonitor monitor;
    private volatile Duration cutOff = Duration.ZERO;

    @BeforeEach
    void begin() {
        ProviderContext context = Quick.surroundings(Config.empty(), InstantSource.system(), () -> nanos.getAsLong());
        cluster = Quick.cluster(client);
        Job job = client.resource(MachineObjects.job()).inNamespace("test").create();
        client.resource(MachineObjects.running(MachineObjects.ID, true))
                .inNamespace("test")
                .create();
        observer = new MachineObserver(cluster, job, new NewestPod(context.clock()), wakeSignal, context);
        monitor = new MachineMonitor(
                MachineObjects.ID,
                observer,
                new DiagnosticsReader(cluster, Optional.empty(), context.nanos()),
                wakeSignal,
                context,
                new ForwardOutage(List.of(new Forwarded()), Duration.ofSeconds(90)));
        monitor.begin();
    }

    @AfterEach
    void end() {
        monitor.dismiss();
        observer.close();
        cluster.close();
        api.close();
    }

    @Test
    void exceptionDoesNotStopTheMonitor() throws InterruptedException {
        CountDownLatch met = new CountDownLatch(2);
        nanos = () -> {
            met.countDown();
            throw new AssertionError("a defect");
        };
        wakeSignal.wake();
        Await.opened("it looks again", met);
        nanos = System::nanoTime;
        client.batch().v1().jobs().inNamespace("test").delete();
        assertEquals(MachineLoss.Cause.FAILED, monitor.lost().join().cause());
    }

    @Test
    void onlyApiServerFailuresCountAsOutage() {
        assertTrue(MachineMonitor.isOutage(new KubernetesClientException("the server is away")));
        assertFalse(MachineMonitor.isOutage(new NullPointerException("a defect")));
        assertFalse(MachineMonitor.isOutage(new IllegalStateException("a defect")));
    }

    @Test
    void aMachineThatWasDeletedIsLost() {
        client.batch().v1().jobs().inNamespace("test").delete();
        MachineLoss loss = monitor.lost().join();
        assertEquals(MachineLoss.Cause.FAILED, loss.cause());
        assertTrue(loss.reason().startsWith("the Job was deleted"), loss::reason);
    }

    @Test
    void idleEndOfAMachineIsAnAgreedLoss() {
        client.resource(MachineObjects.exited(MachineObjects.ID, 0, "idle: no instruction for 10 min"))
                .inNamespace("test")
                .update();
        MachineLoss loss = monitor.lost().join();
        assertEquals(MachineLoss.Cause.IDLE, loss.cause());
        assertTrue(loss.reason().contains("no instruction for 10 min"), loss::reason);
    }

    @Test
    void eventsAfterReleaseAreNoLoss() {
        monitor.dismiss();
        client.batch().v1().jobs().inNamespace("test").delete();
        observer.observe(Duration.ZERO);
        assertFalse(monitor.lost().isDone());
    }

    @Test
    void anApiServerThatIsGoneIsNoLoss() {
        api.server().shutdown();
        Quick.eventually("it is looked for in vain", this::looksInVain);
        wakeSignal.wake();
        assertFalse(monitor.lost().isDone());
    }

    /** The machine hears nothing from its client, and ends. */
    @Test
    void apiServerThatIsGoneForLongerThanTheLeaseLosesWhatItForwards() {
        api.server().shutdown();
        cutOff = Duration.ofSeconds(89);
        Quick.eventually("it is looked for in vain", this::looksInVain);
        wakeSignal.wake();
        assertFalse(monitor.lost().isDone());
        cutOff = Duration.ofSeconds(90);
        wakeSignal.wake();
        MachineLoss loss = monitor.lost().join();
        assertEquals(MachineLoss.Cause.FAILED, loss.cause());
        assertTrue(
                loss.reason()
                        .startsWith(
                                "the API server, which forwards its port, was away for longer than its lease of 90 s ("),
                loss::reason);
        assertTrue(loss.reason().contains("outpost.k8s.endpoint=service"), loss::reason);
    }

    /** The API server answers, so the monitor knows that the machine still exists. */
    @Test
    void forwardThatIsCutOffWhileTheApiServerAnswersIsNoLoss() {
        cutOff = Duration.ofHours(1);
        wakeSignal.wake();
        observer.observe(Duration.ZERO);
        assertFalse(monitor.lost().isDone());
    }

    /** A forwarded port that has been closed for a time that the test sets. */
    private final class Forwarded implements MachineRoute {
        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public int port() {
            return 1;
        }

        @Override
        public Duration cutOff() {
            return cutOff;
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }

    private boolean looksInVain() {
        try {
            cluster.all(Job.class);
            return false;
        } catch (RuntimeException ignored) {
            return true;
        }
    }
}
