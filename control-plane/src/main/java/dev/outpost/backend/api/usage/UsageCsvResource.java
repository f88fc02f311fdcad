package dev.outpost.backend.api.usage;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.store.usage.BillRows.MachineDay;
import dev.outpost.backend.store.usage.BillRows.Position;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The bill of a time window as CSV. It is read from the database page by page while it is sent. */
@Path("/v1/usage.csv")
@Produces("text/csv")
@RunOnVirtualThread
@Tag(name = "usage")
public class UsageCsvResource extends ApiResource {
    private static final int ROWS = 500;

    private final Money money;

    UsageCsvResource(Money money) {
        this.money = money;
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(
            summary = "Costs by machine and day as comma-separated values (RFC 4180), all of them as one stream",
            description = "Days are as at /v1/usage; amounts are exact.")
    public StreamingOutput csv(
            @QueryParam("project") Optional<String> project,
            @QueryParam("from") Optional<String> from,
            @QueryParam("to") Optional<String> to) {
        Optional<String> which = caller.projectFilter(project);
        String organisation = caller.organisation();
        String currency = Optional.ofNullable(money.currency()).orElse("");
        Window window = transact(sql -> Window.of(from, to, sql.now()));
        return out -> {
            Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            writer.write("day,machine,project,gpu,deployment,gpu_seconds,cost,currency\r\n");
            Optional<Position> after = Optional.empty();
            boolean isMore = true;
            while (isMore) {
                Optional<Position> behind = after;
                List<MachineDay> rows = database.read(sql -> Bill.of(sql, organisation, which, window.days(), sql.now())
                        .page(sql, behind, ROWS));
                for (MachineDay row : rows) {
                    writer.write(line(row, currency));
                }
                isMore = rows.size() == ROWS;
                after = isMore ? Optional.of(rows.getLast().position()) : after;
            }
            writer.flush();
        };
    }

    private static String line(MachineDay row, String currency) {
        return String.join(
                        ",",
                        row.day().toString(),
                        row.machine().toString(),
                        row.project(),
                        row.gpu(),
                        row.deployment().orElse(""),
                        Long.toString(row.seconds()),
                        Money.of(row.nanos()).toPlainString(),
                        currency)
                + "\r\n";
    }
}
