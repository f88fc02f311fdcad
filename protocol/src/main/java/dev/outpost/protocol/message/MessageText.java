package dev.outpost.protocol.message;

/** Describes messages for users, in one line and without values of tensors. */
public final class MessageText {
    private MessageText() {}

    /** Returns a summary of a message, for example {@code 12 segments done}. */
    public static String summary(Message message) {
        return switch (message) {
            case ToClient.Progress progress ->
                progress.segments() + " segments done, " + progress.liveBytes() + "B live";
            case ToClient.Fetched fetched -> "fetch " + fetched.fetch() + " " + fetched.type();
            case ToClient.DownloadChunk chunk -> "fetch " + chunk.fetch() + " at " + chunk.offset();
            case ToRuntime.RunSegment run -> "segment";
            case ToRuntime.RememberSegment remember -> "segment for slot " + remember.slot();
            case ToRuntime.RepeatSegment repeat -> "segment of slot " + repeat.slot();
            case ToRuntime.PassSegment pass ->
                "segment " + pass.bundle().number() + " for "
                        + pass.bundle().parts().size() + " members";
            case ToRuntime.TakeSegment take -> "segment " + take.number() + " from member " + take.from();
            case ToRuntime.Fetch fetch -> "%" + fetch.value();
            case ToRuntime.Free free -> free.values().count() + " values";
            case ToRuntime.UploadChunk chunk -> "upload " + chunk.upload() + " at " + chunk.offset();
            case ToRuntime.Request request -> summary(request.request());
            case ToClient.Reply told -> summary(told.reply());
            case ToRuntime.DefineProgram define -> "program " + define.program();
            case ToRuntime.RunProgram run -> "program " + run.program();
            case ToRuntime.DropProgram drop -> "program " + drop.program();
            case ToRuntime.GrantEmissions grant -> "scan " + grant.scan() + " up to " + grant.iterations();
            case ToRuntime.AskSource ask -> "question " + ask.request().getRequest() + " about sources";
            case ToRuntime.AskPeers ask -> "question " + ask.request().getRequest() + " about peers";
            case ToRuntime.SaveModel save -> "model at " + save.request().getUri();
            case ToRuntime.CancelScan cancel -> "scan " + cancel.scan();
            case ToClient.Scanned scanned -> "scan " + scanned.scan() + " at " + scanned.iterations();
        };
    }

    private static String summary(RuntimeRequest request) {
        return switch (request.getKindCase()) {
            case GOODBYE, NOTICE_END, KIND_NOT_SET -> "";
            case EXPLAIN ->
                request.getExplain().hasProgram()
                        ? "how program " + request.getExplain().getProgram() + " is computed"
                        : "how %" + request.getExplain().getValue() + " is computed";
            case TRACE -> "trace " + request.getTrace().getRequest();
            case SAVE_STATE ->
                "state " + request.getSaveState().getNumber() + " to "
                        + request.getSaveState().getPlace().getUri();
            case RESTORE_STATE ->
                "state " + request.getRestoreState().getNumber() + " from "
                        + request.getRestoreState().getPlace().getUri();
            case OWN -> "owner, request " + request.getOwn().getRequest();
            case KEEP -> request.getKeep().getValuesCount() + " names";
            case DELETE_STATES ->
                (request.getDeleteStates().getAll() ? "all states with " : "states before ")
                        + request.getDeleteStates().getNumber() + " of "
                        + request.getDeleteStates().getPlace().getUri();
        };
    }

    private static String summary(RuntimeReply reply) {
        return switch (reply.getKindCase()) {
            case ENDING -> "in " + reply.getEnding().getMillis() + " ms";
            case FAREWELL -> reply.getFarewell().getUnseenCount() + " unseen faults";
            case EXPLAINED -> "explanation " + reply.getExplained().getRequest();
            case TRACED -> "trace " + reply.getTraced().getRequest();
            case FAILED -> reply.getFailed().getFault().getMessage();
            case UPDATE_FAILED ->
                "update " + reply.getUpdateFailed().getUpdate() + " "
                        + reply.getUpdateFailed().getFault().getMessage();
            case FETCH_FAILED ->
                "fetch " + reply.getFetchFailed().getFetch() + " "
                        + reply.getFetchFailed().getFault().getMessage();
            case SOURCE_ANSWERED -> "answer " + reply.getSourceAnswered().getRequest() + " about sources";
            case SOURCE_FAILED ->
                "no answer " + reply.getSourceFailed().getRequest() + " about sources: "
                        + reply.getSourceFailed().getFault().getMessage();
            case PEERS_ANSWERED -> "answer " + reply.getPeersAnswered().getRequest() + " about peers";
            case PEERS_FAILED ->
                "no answer " + reply.getPeersFailed().getRequest() + " about peers: "
                        + reply.getPeersFailed().getFault().getMessage();
            case KIND_NOT_SET -> "";
        };
    }

    /** Returns the name of a message in logs. */
    public static String name(Message message) {
        return switch (message) {
            case ToRuntime.Request request -> request.request().getKindCase().name();
            case ToClient.Reply told -> told.reply().getKindCase().name();
            default -> message.getClass().getSimpleName();
        };
    }
}
