package dev.outpost.cli.backend.resource;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.TenantApi;
import dev.outpost.rest.tenant.KeyView;
import dev.outpost.rest.tenant.Rotation;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Replaces a key by a new one. */
@Command(name = "rotate", description = "Make a key in place of another one, which goes on for a while.")
final class KeyRotateCommand extends PrintingCommand {
    @Parameters(paramLabel = "ID", description = "As ./outpost keys list shows it.")
    private String id;

    @Option(
            names = "--overlap",
            paramLabel = "DURATION",
            defaultValue = "24h",
            description = "How long the old key goes on; 24h unless given.")
    private Duration overlap;

    @Override
    public void run() {
        KeyView made = new TenantApi(BackendClient.configured()).rotateKey(id, new Rotation(overlap));
        println("created Key " + made.name() + " in place of " + id);
        ShownSecrets.lines(ResourceKind.MAPPER.valueToTree(made)).forEach(this::println);
    }
}
