package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.api.cluster.BackupResource;
import dev.outpost.backend.api.cluster.ClustersResource;
import dev.outpost.backend.api.cluster.FailuresResource;
import dev.outpost.backend.api.cluster.PoolsResource;
import dev.outpost.backend.api.cluster.WorkerResource;
import dev.outpost.backend.api.deployment.DeploymentsResource;
import dev.outpost.backend.api.deployment.GatewayCallersResource;
import dev.outpost.backend.api.deployment.GatewaysResource;
import dev.outpost.backend.api.event.EventsResource;
import dev.outpost.backend.api.job.FilesResource;
import dev.outpost.backend.api.job.JobsResource;
import dev.outpost.backend.api.job.RunnerResource;
import dev.outpost.backend.api.job.SchedulesResource;
import dev.outpost.backend.api.job.SecretsResource;
import dev.outpost.backend.api.machine.GpusResource;
import dev.outpost.backend.api.machine.GrantsResource;
import dev.outpost.backend.api.machine.InstructionsResource;
import dev.outpost.backend.api.machine.LogsResource;
import dev.outpost.backend.api.machine.MachinesResource;
import dev.outpost.backend.api.machine.PlanResource;
import dev.outpost.backend.api.machine.SharingResource;
import dev.outpost.backend.api.tenant.AuditResource;
import dev.outpost.backend.api.tenant.IdentityResource;
import dev.outpost.backend.api.tenant.KeysResource;
import dev.outpost.backend.api.tenant.MembersResource;
import dev.outpost.backend.api.tenant.OrganisationsResource;
import dev.outpost.backend.api.tenant.ProjectsResource;
import dev.outpost.backend.api.tenant.SessionResource;
import dev.outpost.backend.api.usage.BudgetsResource;
import dev.outpost.backend.api.usage.OrganisationLimitsResource;
import dev.outpost.backend.api.usage.PricesResource;
import dev.outpost.backend.api.usage.QuotasResource;
import dev.outpost.backend.api.usage.TokenPricesResource;
import dev.outpost.backend.api.usage.TokenUsageResource;
import dev.outpost.backend.api.usage.UsageResource;
import dev.outpost.backend.api.usage.UseSamplesResource;
import dev.outpost.backend.api.webhook.WebhooksResource;
import jakarta.ws.rs.HttpMethod;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every call declares the scope that its key needs. */
@Tag("quick")
class RequiresScopeTest {
    static Stream<Method> calls() {
        return Stream.of(
                        AuditResource.class,
                        ClustersResource.class,
                        BudgetsResource.class,
                        DeploymentsResource.class,
                        EventsResource.class,
                        FailuresResource.class,
                        FilesResource.class,
                        GatewaysResource.class,
                        GpusResource.class,
                        GrantsResource.class,
                        KeysResource.class,
                        IdentityResource.class,
                        JobsResource.class,
                        LogsResource.class,
                        InstructionsResource.class,
                        SharingResource.class,
                        BackupResource.class,
                        GatewayCallersResource.class,
                        MachinesResource.class,
                        MembersResource.class,
                        OrganisationsResource.class,
                        OrganisationLimitsResource.class,
                        PlanResource.class,
                        PricesResource.class,
                        PoolsResource.class,
                        ProjectsResource.class,
                        QuotasResource.class,
                        RunnerResource.class,
                        SchedulesResource.class,
                        SecretsResource.class,
                        SessionResource.class,
                        TokenPricesResource.class,
                        TokenUsageResource.class,
                        UsageResource.class,
                        UseSamplesResource.class,
                        WebhooksResource.class,
                        WorkerResource.class)
                .flatMap(resource -> Stream.of(resource.getDeclaredMethods()))
                .filter(method -> List.of(method.getAnnotations()).stream()
                        .anyMatch(annotation -> annotation.annotationType().isAnnotationPresent(HttpMethod.class)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aCallNeedsAScope(Method call) {
        long ways = Stream.of(RequiresScope.class, WorkerEndpoint.class, RunnerEndpoint.class, PublicEndpoint.class)
                .filter(call::isAnnotationPresent)
                .count();
        assertEquals(1, ways, call::toString);
    }
}
