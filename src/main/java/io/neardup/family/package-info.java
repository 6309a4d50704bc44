/** Families of locality-sensitive hashing: for each kind of similarity how to sign, what to keep, and how to judge. */
@NullMarked
package io.neardup.family;

import org.jspecify.annotations.NullMarked;
