package dev.outpost.cli.lan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.PeerLinks;
import dev.outpost.RemoteMachine;
import org.junit.jupiter.api.Test;

/** With machines in this JVM: all measurements are finite and positive, and leave no values on the machines. */
class WorkerMeasurementTest {
    private final WorkerMeasurement measurement = new WorkerMeasurement();

    private static void assertMeasured(WorkerMeasurement.Way way) {
        assertTrue(way.latencySeconds() >= 0 && way.latencySeconds() < 60, way::toString);
        assertTrue(way.bytesPerSecond() > 0 && Double.isFinite(way.bytesPerSecond()), way::toString);
    }

    @Test
    void waysAndProductsAreMeasured() {
        try (RemoteMachine one = RemoteMachine.of("mock", "any");
                RemoteMachine other = RemoteMachine.of("mock", "any")) {
            double toOne = measurement.roundTrip(one);
            double toOther = measurement.roundTrip(other);
            assertTrue(toOne > 0 && toOther > 0, () -> toOne + " and " + toOther);
            assertMeasured(measurement.to(one, toOne));
            assertMeasured(measurement.from(one, toOne));
            try (PeerLinks links = WorkerMeasurement.connect(one, "127.0.0.1", other, "127.0.0.1")) {
                assertMeasured(measurement.between(links, one, other, toOne, toOther));
                assertMeasured(measurement.between(links, other, one, toOther, toOne));
            }
            WorkerMeasurement.Product product = measurement.product(one, toOne);
            assertTrue(product.seconds() > 0 && product.flops() > 0, product::toString);
            assertTrue(product.size() >= 256, product::toString);
        }
    }
}
