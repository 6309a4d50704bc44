/** What hostile or endless input costs, on a real broker. */
@org.jspecify.annotations.NullMarked
package io.neardup.flood;
