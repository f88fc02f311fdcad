package dev.outpost.system.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.net.URL;
import java.net.URLConnection;
import java.net.http.HttpClient;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** No code waits for the body of an answer without a limit: requests use {@code HttpBodies}, and gRPC calls have a deadline or a queue. */
class BodyRulesTest {
    private static final String BODIES = "dev.outpost.channel.http..";
    /** Measuring programs and the test cluster, which are not part of the product. */
    private static final String[] NO_PRODUCT = {
        "dev.outpost.bench..", "dev.outpost.simulated..", "dev.outpost.examples..", "dev.outpost.gpucheck.."
    };

    private static final JavaClasses CLASSES = ProductClasses.ALL;

    private static DescribedPredicate<JavaCall<?>> calls(Class<?> owner, String... methods) {
        Set<String> names = Set.of(methods);
        return DescribedPredicate.describe(
                "calls " + owner.getSimpleName() + " " + names,
                call -> call.getTargetOwner().isAssignableTo(owner) && names.contains(call.getName()));
    }

    @Test
    void requestsGoByHttpBodies() {
        noClasses()
                .that()
                .resideOutsideOfPackage(BODIES)
                .and()
                .resideOutsideOfPackages(NO_PRODUCT)
                .should()
                .callMethodWhere(calls(HttpClient.class, "send", "sendAsync"))
                .because("its own timeout ends with the head of an answer; call HttpBodies")
                .check(CLASSES);
    }

    @Test
    void noBodyIsReadByUrl() {
        noClasses()
                .that()
                .resideOutsideOfPackages(NO_PRODUCT)
                .should()
                .callMethodWhere(calls(URL.class, "openStream", "openConnection", "getContent"))
                .orShould()
                .callMethodWhere(calls(URLConnection.class, "getInputStream", "getContent"))
                .because("it waits without end; call HttpBodies")
                .check(CLASSES);
    }

    /** A blocking stub without a deadline waits as long as the peer wants. */
    @Test
    void blockingCallsOfGrpcHaveADeadline() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.outpost.channel.client.MachineGrants")
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "makes a blocking stub",
                        call -> call.getName().equals("newBlockingStub")
                                || call.getName().equals("newBlockingV2Stub")))
                .because("MachineGrants alone makes some, with a deadline for each call")
                .check(CLASSES);
    }
}
