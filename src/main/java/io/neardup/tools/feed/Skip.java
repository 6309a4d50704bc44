package io.neardup.tools.feed;

import com.fasterxml.jackson.annotation.JsonValue;

/** Why a part of a file is no record. */
public enum Skip {
    REVISIT("revisit", false), // the archive says that it had not changed since an earlier capture
    REQUEST("request", false), // what the crawler asked
    INFO("info", false), // what the archive says of itself
    METADATA("metadata", false), // what the crawler noted
    OTHER_TYPE("other-type", false), // an archive record of another type
    STATUS("http-status", false), // an answer with another status than 200 to 299
    NOT_TEXT("not-text", false), // neither HTML nor plain text
    HIDDEN("hidden-file", false), // a file or folder whose name begins with a dot
    UNKNOWN_FORMAT("unknown-format", true), // a file in a folder that is in no known format
    LINK("link", true), // a link in a folder that leads to what cannot be read, or back to a folder that it lies in
    EMPTY("empty-file", true), // a file with nothing in it
    BROKEN("broken", true), // its own syntax is violated, or a checksum does not hold
    TRUNCATED("truncated", true), // it ends before it should
    ENCODING("content-encoding", true), // its content encoding cannot be undone
    TOO_LARGE("too-large", true), // more bytes or tags than are read of one
    EXPANSION("expansion", true), // it unpacks to more bytes than are read of one
    ENTITY("entity", true), // it refers to an entity of a DTD, and these are not expanded
    TOO_DEEP("too-deep", true); // its elements are nested too deep

    private final String code;
    private final boolean isDefect;

    Skip(String code, boolean isDefect) {
        this.code = code;
        this.isDefect = isDefect;
    }

    /** As it is shown, counted and written as JSON; stable. */
    @JsonValue
    public String code() {
        return code;
    }

    /** Whether something is wrong; else parts of this kind belong into sound files too. */
    public boolean isDefect() {
        return isDefect;
    }
}
