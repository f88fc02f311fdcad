package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.ws.rs.HttpMethod;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every call says what a key must allow for it. */
@Tag("quick")
class NeedsTest {
    static Stream<Method> calls() {
        return Stream.of(
                        AuditResource.class,
                        ClustersResource.class,
                        BudgetsResource.class,
                        DeploymentsResource.class,
                        EventsResource.class,
                        FilesResource.class,
                        GatewaysResource.class,
                        GpusResource.class,
                        GrantsResource.class,
                        KeysResource.class,
                        IdentityResource.class,
                        JobsResource.class,
                        LogsResource.class,
                        MachinesResource.class,
                        MembersResource.class,
                        OrganisationsResource.class,
                        PlanResource.class,
                        PricesResource.class,
                        PoolsResource.class,
                        ProjectsResource.class,
                        QuotasResource.class,
                        RunnerResource.class,
                        SchedulesResource.class,
                        SecretsResource.class,
                        TokenPricesResource.class,
                        TokenUsageResource.class,
                        UsageResource.class,
                        WebhooksResource.class,
                        WorkerResource.class)
                .flatMap(resource -> Stream.of(resource.getDeclaredMethods()))
                .filter(method -> List.of(method.getAnnotations()).stream()
                        .anyMatch(annotation -> annotation.annotationType().isAnnotationPresent(HttpMethod.class)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aCallNeedsAScope(Method call) {
        long ways = Stream.of(Needs.class, ByWorker.class, ByRunner.class, Open.class)
                .filter(call::isAnnotationPresent)
                .count();
        assertEquals(1, ways, call::toString);
    }
}
