package dev.outpost.system.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.lan.Worker;
import dev.outpost.provider.lan.Worker.Pairing;
import dev.outpost.provider.lan.Workers;
import dev.outpost.support.tests.Await;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Tests workers on other hosts, which are network namespaces of this one: mDNS uses virtual Ethernet. */
@Tag("full")
class LanNamespacesTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void requireNamespaces() {
        NetworkNamespace.require();
    }

    private LanWorkerProcess.Start worker(NetworkNamespace space, String name, String addresses) {
        return LanWorkerProcess.Start.of(folder.resolve(name), name, addresses).in(space.name());
    }

    @Test
    void workersAreFoundGoAndComeBack(TestReporter reporter) {
        try (NetworkNamespace first = NetworkNamespace.open(41);
                NetworkNamespace second = NetworkNamespace.open(42);
                LanWorkerProcess one =
                        worker(first, "one", NetworkNamespace.guest(41)).run()) {
            awaitAnnounced(41, "one");
            try (LanClient client =
                    LanClient.open(folder, NetworkNamespace.host(41) + "," + NetworkNamespace.host(42))) {
                found(client, "one", reporter);
                LanWorkerProcess two =
                        worker(second, "two", NetworkNamespace.guest(42)).run();
                found(client, "two", reporter);
                String certificate = client.pair("two", two).certificate();
                two.terminate();
                Await.until(
                        "a worker that ends is listed no more",
                        () -> client.named("two").isEmpty());
                two = worker(second, "two", NetworkNamespace.guest(42)).run();
                Worker back = client.await("two", Worker::isUsable);
                assertEquals(certificate, back.certificate());
                two.terminate();
                LanWorkerProcess.forget(folder.resolve("two"));
                two = worker(second, "two", NetworkNamespace.guest(42)).run();
                client.await("two", each -> each.pairing() == Pairing.CHANGED);
                assertEquals(Pairing.PAIRED, client.pair("two", two).pairing());
                two.close();
                assertTrue(one.isAlive());
            }
        }
    }

    /** A separate client receives the announcement, which is repeated for seconds after a worker has started. */
    private void awaitAnnounced(int network, String name) {
        try (LanClient early = LanClient.open(folder, NetworkNamespace.host(network))) {
            early.awaitAnswering(name);
        }
    }

    private static void found(LanClient client, String name, TestReporter reporter) {
        long start = System.nanoTime();
        Await.until(
                () -> name + " among " + client.workers().list(),
                () -> client.named(name).stream()
                        .anyMatch(each -> each.latency().isPresent()));
        reporter.publishEntry(name + " was found after ms", "" + (System.nanoTime() - start) / 1_000_000);
    }

    @Test
    void lookingEndsWhenWorkersAreThere(TestReporter reporter) throws Exception {
        try (NetworkNamespace space = NetworkNamespace.open(46);
                LanWorkerProcess one =
                        worker(space, "one", NetworkNamespace.guest(46)).run()) {
            awaitAnnounced(46, "one");
            try (LanClient client = LanClient.open(folder, NetworkNamespace.host(46))) {
                assertTrue(client.workers().refused().isEmpty());
                long start = System.nanoTime();
                try (Workers workers = Await.within("looking ends", () -> Workers.discover(Duration.ofHours(1)))) {
                    Duration taken = Duration.ofNanos(System.nanoTime() - start);
                    reporter.publishEntry("looking ended after ms", "" + taken.toMillis());
                    assertEquals("one", workers.list().getFirst().name());
                }
                assertTrue(one.isAlive());
            }
        }
    }

    @Test
    void aWorkerIsFoundByVersionSixOfTheProtocolAlone() {
        try (NetworkNamespace space = NetworkNamespace.open(43);
                LanWorkerProcess six =
                        worker(space, "six", NetworkNamespace.guestSix(43)).run();
                LanClient client = LanClient.open(folder, NetworkNamespace.hostSix(43))) {
            Worker found = client.pair("six", six);
            assertTrue(found.address().startsWith("[fd31:43:"), found::address);
            try (RemoteMachine machine = RemoteMachine.of("lan", "any", new MachineOptions().option("worker", "six"))) {
                assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            }
        }
    }

    @Test
    void aWorkerOnTwoNetworksIsOneAndStaysWhereOneOfThemGoes() {
        try (NetworkNamespace space = NetworkNamespace.open(44)) {
            space.connect(45);
            try (LanWorkerProcess both = worker(
                                    space, "both", NetworkNamespace.guest(44) + "," + NetworkNamespace.guest(45))
                            .run();
                    LanClient client =
                            LanClient.open(folder, NetworkNamespace.host(44) + "," + NetworkNamespace.host(45))) {
                Worker found = client.pair("both", both);
                assertEquals(1, client.named("both").size());
                int used = found.host().equals(NetworkNamespace.guest(44)) ? 44 : 45;
                space.disconnect(used);
                Worker left = client.await(
                        "both",
                        each -> each.latency().isPresent() && !each.host().equals(NetworkNamespace.guest(used)));
                assertEquals(Pairing.PAIRED, left.pairing());
            }
        }
    }
}
