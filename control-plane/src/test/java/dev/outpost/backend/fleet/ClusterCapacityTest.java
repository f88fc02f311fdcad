package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.provider.fleet.PaperSupplier;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClusterCapacityTest {
    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final Backend backend =
            new Backend(test.source(), new PaperSupplier(new DatabaseClock(test.database()), true));

    @AfterEach
    void close() {
        test.close();
    }

    private void observed(String cluster, Optional<String> trouble) {
        backend.database.run(sql -> trouble.ifPresentOrElse(
                why -> ClusterRows.unobserved(sql, cluster, why), () -> ClusterRows.observed(sql, cluster, sql.now())));
    }

    private ClusterCapacity room() {
        return backend.database.transact(ClusterCapacity::of);
    }

    @Test
    void clusterThatAnswersComesBeforeOneWithMoreRoom() {
        backend.addCluster("large", 9);
        backend.addCluster("small", 1);
        assertEquals(Optional.of("large"), room().find("A100", 1));
        observed("large", Optional.of("k8s: the API server takes no connections"));
        assertEquals(Optional.of("small"), room().find("A100", 1));
        assertEquals(Optional.empty(), room().trouble("small"));
        assertEquals(Optional.of("large"), room().find("A100", 2), "a machine may wait for it");
    }

    @Test
    void clusterThatDoesNotAnswerSaysWhy() {
        backend.addCluster("lab", 9);
        observed("lab", Optional.of("k8s: the API server takes no connections"));
        assertEquals(
                Optional.of("cluster lab did not answer when it was last looked at (k8s: the API server takes no"
                        + " connections); a machine waits until it does"),
                room().trouble("lab"));
        observed("lab", Optional.empty());
        assertEquals(Optional.empty(), room().trouble("lab"));
    }
}
