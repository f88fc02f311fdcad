package dev.outpost.cli.backend.machine;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.channel.grant.GrantTerms.Role;
import dev.outpost.provider.SharedAccess;
import dev.outpost.provider.support.Memory;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Gives another person access to a machine. */
@Command(
        name = "share",
        description = "Give somebody else access to a machine, and print what that person connects with.")
public final class MachinesShare implements Runnable {
    @ParentCommand
    private MachinesCommand machines;

    @Mixin
    private KeeperOption keeper;

    @Parameters(paramLabel = "ID", description = "As ./outpost machines list shows it.")
    private String id;

    @Option(names = "--for", paramLabel = "DURATION", description = "Such as 2h; until it is taken back unless given.")
    private Duration life;

    @Option(names = "--memory", paramLabel = "SIZE", description = "A part of the memory, such as 8Gi.")
    private String memory;

    @Option(
            names = "--weight",
            paramLabel = "NUMBER",
            defaultValue = "100",
            description = "Of its turns against those of others; 100 unless given.")
    private int weight;

    @Option(names = "--observe", description = "It looks at sessions and counters, and computes nothing.")
    private boolean observe;

    @Override
    public void run() {
        GrantTerms terms =
                GrantTerms.ALL.withRole(observe ? Role.OBSERVE : Role.USE).withWeight(weight);
        terms = life == null
                ? terms
                : terms.withExpires(machines.clock().instant().plus(life));
        terms = memory == null ? terms : terms.withMemoryBytes(Memory.of(memory).bytes());
        SharedAccess access =
                machines.keeper(keeper.provider()).share(id, terms).await().indefinitely();
        machines.out()
                .println("endpoint     " + access.endpoint().host() + ":"
                        + access.endpoint().port());
        machines.out().println("token        " + access.endpoint().token());
        machines.out().println("taken back   by DELETE /v1/machines/" + id + "/grants/" + access.id());
        machines.out().flush();
    }
}
