package dev.outpost.system.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A virtual thread in a timed {@link Object#wait(long)} may never return: JDK-8373120, before versions 25.0.4 and 26. */
class TimedWaitRulesTest {
    private static boolean isTimedWait(JavaCall<?> call) {
        boolean isOfObject = call.getName().equals("wait")
                && !call.getTarget().getRawParameterTypes().isEmpty()
                && call.getTarget().getRawParameterTypes().getFirst().isEquivalentTo(long.class);
        return isOfObject
                || call.getTargetOwner().isEquivalentTo(TimeUnit.class)
                        && call.getName().equals("timedWait");
    }

    @Test
    void nothingWaitsForAMonitorWithATimeLimit() {
        noClasses()
                .should()
                .callMethodWhere(
                        DescribedPredicate.describe("waits with a time limit", TimedWaitRulesTest::isTimedWait))
                .because("a virtual thread may never return from it; wait on a Condition, a Semaphore or a latch")
                .check(ProductClasses.ALL);
    }
}
