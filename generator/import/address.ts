/** Whether a place is the address of a PostgreSQL database rather than a file. */
export const isDatabaseAddress = (place: string): boolean => /^postgres(?:ql)?:\/\//.test(place);
