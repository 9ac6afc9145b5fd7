import { redirect } from "next/navigation";

export const GET = (): never => redirect("/en");
