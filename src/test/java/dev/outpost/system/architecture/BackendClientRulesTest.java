package dev.outpost.system.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import dev.outpost.rest.client.BackendClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Clients of the backend do not use strings for paths or fields of its API, because a renamed one would fail only at run time. */
class BackendClientRulesTest {
    private static final String[] CLIENTS = {
        "dev.outpost.cli.backend..",
        "dev.outpost.cli.worker",
        "dev.outpost.provider.outpost",
        "dev.outpost.serving.gateway",
        "dev.outpost.runtime.server.job"
    };

    private static final List<String> SOURCES = List.of(
            "cli/core/src/main/java/dev/outpost/cli/backend",
            "cli/core/src/main/java/dev/outpost/cli/worker",
            "provider-outpost/src/main",
            "serving/src/main/java/dev/outpost/serving/gateway",
            "gpu-runtime/server/src/main/java/dev/outpost/runtime/server/job");

    /** Methods that take a path and names of fields, for tests and measurements. */
    private static final Set<String> UNTYPED = Set.of("get", "put", "post", "delete", "putBytes", "slice");

    private static final DescribedPredicate<JavaCall<?>> UNTYPED_CALL = DescribedPredicate.describe(
            "makes an untyped call",
            call -> call.getTargetOwner().isEquivalentTo(BackendClient.class) && UNTYPED.contains(call.getName()));

    /** The readiness of a backend is not part of its API. */
    @Test
    void productsMakeTypedCalls() {
        noClasses()
                .that()
                .resideInAPackage("dev.outpost..")
                .and()
                .resideOutsideOfPackages("dev.outpost.rest.client", "dev.outpost.bench..")
                .and()
                .doNotHaveFullyQualifiedName("dev.outpost.cli.doctor.BackendChecks")
                .should()
                .callMethodWhere(UNTYPED_CALL)
                .because("the classes beside BackendClient have a method for each call")
                .check(ProductClasses.ALL);
    }

    /**
     * A device login reads the answers of an issuer, which is not a backend. The commands for resources convert records to files
     * and back by their names.
     */
    @Test
    void clientsReadNoJson() {
        noClasses()
                .that()
                .resideInAnyPackage(CLIENTS)
                .and()
                .doNotHaveFullyQualifiedName("dev.outpost.cli.backend.DeviceLogin")
                .and()
                .resideOutsideOfPackage("dev.outpost.cli.backend.resource")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml.jackson..")
                .because("the records of dev.outpost.rest are what a backend takes and answers")
                .check(ProductClasses.ALL);
    }

    @Test
    void clientsNameNoPath() throws IOException {
        Path root = Path.of("..", "..");
        for (String folder : SOURCES) {
            try (Stream<Path> files = Files.walk(root.resolve(folder))) {
                for (Path file :
                        files.filter(one -> one.toString().endsWith(".java")).toList()) {
                    assertEquals(
                            List.of(),
                            Files.readAllLines(file).stream()
                                    .filter(line -> line.contains("\"/v1/"))
                                    .toList(),
                            file::toString);
                }
            }
        }
    }
}
