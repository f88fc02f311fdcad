package dev.outpost.client;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.RemoteException;
import java.util.List;

/** What people read of faults and messages. */
final class FaultText {
    private static final String SCOPES = "close tensors, or use scopes, to need less at once";

    private FaultText() {}

    /** The op and what was wrong with it, then where it was recorded, the machine, what was lost, and the remedy. */
    static RemoteException exception(Fault fault, String machine, List<String> lost) {
        StringBuilder text = new StringBuilder(fault.message());
        if (!fault.source().isEmpty()) {
            text.append(", recorded at ").append(fault.source());
        }
        text.append(", on ").append(machine);
        if (!lost.isEmpty()) {
            text.append("; lost with it: ").append(String.join(", ", lost));
        }
        switch (fault.kind()) {
            case RESOURCES -> text.append("; ").append(SCOPES);
            case INTERNAL -> text.append("; this is a defect of Outpost, please report it");
            case USER, EXTERNAL -> {
                // The message says all there is to say.
            }
        }
        return new RemoteException(fault, text.toString());
    }

    /** As {@link #exception}, for an update that the fault kept from happening. */
    static RemoteException ofUpdate(Fault fault, String machine, int failures) {
        String text = exception(fault, machine, List.of()).getMessage()
                + "; the optimizer's step was left out: parameters, moments and step count are as before it";
        String others = failures == 1 ? "" : "; so were steps for " + (failures - 1) + " other failures";
        return new RemoteException(fault, text + others);
    }

    static String summary(Message message) {
        return switch (message) {
            case Message.Progress progress ->
                progress.segments() + " segments done, " + progress.liveBytes() + "B live";
            case Message.Fetched fetched -> "fetch " + fetched.fetch() + " " + fetched.type();
            case Message.FetchFailed failed ->
                "fetch " + failed.fetch() + " " + failed.fault().message();
            case Message.DownloadChunk chunk -> "fetch " + chunk.fetch() + " at " + chunk.offset();
            case Message.Farewell farewell -> farewell.unseen().size() + " unseen faults";
            case Message.RunSegment run -> "segment";
            case Message.RememberSegment remember -> "segment for slot " + remember.slot();
            case Message.RepeatSegment repeat -> "segment of slot " + repeat.slot();
            case Message.Fetch fetch -> "%" + fetch.value();
            case Message.Free free -> free.values().count() + " values";
            case Message.UploadChunk chunk -> "upload " + chunk.upload() + " at " + chunk.offset();
            case Message.Goodbye goodbye -> "";
            case Message.Explain explain -> "how %" + explain.value() + " is computed";
            case Message.ExplainProgram explain -> "how program " + explain.program() + " is computed";
            case Message.Trace trace -> "trace " + trace.request();
            case Message.Traced traced -> "trace " + traced.request();
            case Message.Explained explained -> "explanation " + explained.request();
            case Message.DefineProgram define -> "program " + define.program();
            case Message.RunProgram run -> "program " + run.program();
            case Message.DropProgram drop -> "program " + drop.program();
            case Message.GrantEmissions grant -> "scan " + grant.scan() + " up to " + grant.iterations();
            case Message.CancelScan cancel -> "scan " + cancel.scan();
            case Message.AskSource ask -> "question " + ask.request() + " about sources";
            case Message.SourceAnswered answered -> "answer " + answered.request() + " about sources";
            case Message.SourceFailed failed ->
                "no answer " + failed.request() + " about sources: "
                        + failed.fault().message();
            case Message.AskPeers ask -> "question " + ask.request() + " about peers";
            case Message.PeersAnswered answered -> "answer " + answered.request() + " about peers";
            case Message.PeersFailed failed ->
                "no answer " + failed.request() + " about peers: "
                        + failed.fault().message();
            case Message.Failed failed -> failed.fault().message();
            case Message.UpdateFailed failed ->
                "update " + failed.update() + " " + failed.fault().message();
            case Message.Scanned scanned -> "scan " + scanned.scan() + " at " + scanned.iterations();
        };
    }
}
